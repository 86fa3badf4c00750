// SPDX-License-Identifier: GPL-2.0
/*
 * A function that is called now and then and goes on in one that everybody calls, all the time.
 *
 * usage: tails MILLISECONDS-BETWEEN-CALLS-OF-THE-RARE-ONE, until SIGUSR1
 */
#include <signal.h>

#include "common.h"

static volatile sig_atomic_t is_over;
static volatile long sink;

PROBED long f_shared(long x) { sink += x; END(); return sink; }
/* A tail call, which -O2 makes a jump. */
PROBED long f_rare(long x) { sink += x; return f_shared(x + 1); }

static void end(int signal)
{
	(void)signal;
	is_over = 1;
}

int main(int argc, char **argv)
{
	uint64_t between_ns = (argc > 1 ? atol(argv[1]) : 10) * 1000000ULL;
	uint64_t rare = 0;

	signal(SIGUSR1, end);
	/* Before anything is dear. */
	for (; rare < 10; rare++)
		sink += f_rare(1);
	while (!is_over) {
		uint64_t next_ns = now_ns(CLOCK_MONOTONIC) + between_ns;

		while (now_ns(CLOCK_MONOTONIC) < next_ns)
			for (long i = 0; i < 64; i++)
				sink += f_shared(i);
		sink += f_rare(1);
		rare++;
	}
	tell("rare", rare);
	return 0;
}
