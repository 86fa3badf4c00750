// SPDX-License-Identifier: GPL-2.0
/*
 * Two functions that call each other: f_even() and f_odd() in turn.  In plain C, so that both have
 * their return addresses replaced, and the kernel follows no more than 64 of these at once.
 *
 * usage: deep ROUNDS DEPTH
 */
#include "truth.h"

static volatile long calls;

long f_odd(int depth);

PROBED long f_even(int depth)
{
	long result;

	calls++;
	result = depth ? f_odd(depth - 1) : 0;
	END();
	return result + 1;
}

PROBED long f_odd(int depth)
{
	long result;

	calls++;
	result = depth ? f_even(depth - 1) : 0;
	END();
	return result + 1;
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[1]), depth = atoi(argv[2]);
	long sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += f_even(depth);
	printf("sum %ld calls %ld\n", sum, calls);
	tell("f_even.returned", (long)rounds * (depth / 2 + 1));
	tell("f_odd.returned", (long)rounds * ((depth + 1) / 2));
	return 0;
}
