// SPDX-License-Identifier: GPL-2.0
/*
 * Short C++ functions within one another, and one that calls itself: by several threads, one
 * after the other, so that no two wait for a CPU.
 *
 * usage: nested N THREADS
 */
#include <stdexcept>
#include <thread>
#include "truth.h"

static volatile long sink;

PROBED long f_inner(long x)
{
	if (x < 0)
		throw std::runtime_error("negative");
	sink += x;
	END();
	return sink;
}

PROBED long f_outer(long x)
{
	long sum = 0;

	for (int i = 0; i < 3; i++)
		sum += f_inner(x);
	END();
	return sum;
}

PROBED long f_again(int depth)
{
	long below = depth ? f_again(depth - 1) : f_inner(1);

	END();
	return below + sink;
}

int main(int, char **argv)
{
	int n = atoi(argv[1]), threads = atoi(argv[2]);

	for (int t = 0; t < threads; t++)
		std::thread([n] {
			for (int i = 0; i < n; i++) {
				f_outer(i);
				f_again(4);
			}
		}).join();
	tell("f_outer.returned", (long)n * threads);
	tell("f_again.returned", 5L * n * threads);
	tell("f_inner.returned", 4L * n * threads);
	return 0;
}
