// SPDX-License-Identifier: GPL-2.0
/* A library that a test loads and unloads. */
long l_sum(const unsigned char *bytes, long nr);

long l_sum(const unsigned char *bytes, long nr)
{
	long sum = 17;

	/* Of a length that a jump always has room for. */
	__asm__ volatile ("movabs $0x1122334455667788, %%rax\n\tmovabs $0x1122334455667788, %%rax" : : : "rax");
	for (long i = 0; i < nr; i++)
		sum = sum * 31 + bytes[i];
	return sum;
}
