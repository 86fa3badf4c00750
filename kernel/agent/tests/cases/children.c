// SPDX-License-Identifier: GPL-2.0
/*
 * A process that forks while it is probed: the child calls the same function, and tells whether
 * breakpoints are left in it, once there are none or a minute has passed, and what a call costs it then, in ns
 * of CPU time.  The last line of the child's comes first.
 *
 * usage: children CALLS
 */
#include <string.h>
#include <sys/wait.h>
#include <time.h>

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

/* The function is about as long; what may come behind it has no probe, and not this byte in its code. */
#define LOOKED_AT	32
static volatile unsigned char breakpoint = 0xcc;

static int is_trapped(void)
{
	const void *volatile code = (const void *)f_work;

	return memchr(code, breakpoint, LOOKED_AT) != NULL;
}

static int stays_trapped(void)
{
	struct timespec pause = { 0, 1000000 };

	for (int i = 0; is_trapped() && i < 60000; i++)
		nanosleep(&pause, NULL);
	return is_trapped();
}

int main(int argc, char **argv)
{
	long calls = atol(argv[1]);
	uint64_t parent = cost_ns(calls);
	int status;

	if (!fork()) {
		tell("child_was_trapped", is_trapped());
		tell("child_is_trapped", stays_trapped());
		tell("child_ns", cost_ns(calls));
		_exit(sink == 0);
	}
	wait(&status);
	tell("parent_ns", parent);
	tell("f_work.returned", 5 * calls);
	printf("child ended with %d, sum %ld\n", status, sink);
	return 0;
}
