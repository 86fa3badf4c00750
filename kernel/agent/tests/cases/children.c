// SPDX-License-Identifier: GPL-2.0
/*
 * A process that forks while it is probed: the child calls the same function, and tells what a
 * call costs it, in ns, of CPU time.  The last line of the child's comes first.
 *
 * usage: children CALLS
 */
#include <sys/wait.h>

#include "truth.h"

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }

/* The least of several rounds: a neighbour only adds. */
static uint64_t cost_ns(long calls)
{
	uint64_t least = ~0ULL;

	for (int round = 0; round < 5; round++) {
		uint64_t begin = cpu_ns();

		for (long i = 0; i < calls; i++)
			f_work(i);
		begin = (cpu_ns() - begin) / calls;
		least = begin < least ? begin : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	long calls = atol(argv[1]);
	uint64_t parent = cost_ns(calls);
	int status;

	if (!fork()) {
		tell("child_ns", cost_ns(calls));
		_exit(sink == 0);
	}
	wait(&status);
	tell("parent_ns", parent);
	tell("f_work.returned", 5 * calls);
	printf("child ended with %d, sum %ld\n", status, sink);
	return 0;
}
