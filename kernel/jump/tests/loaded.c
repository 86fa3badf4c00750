// SPDX-License-Identifier: GPL-2.0
/* A library that a test loads and unloads. */
long l_sum(const unsigned char *bytes, long nr);

long l_sum(const unsigned char *bytes, long nr)
{
	long sum = 17;

	for (long i = 0; i < nr; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}
