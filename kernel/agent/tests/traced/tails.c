// SPDX-License-Identifier: GPL-2.0
/*
 * A function that is called now and then and goes on in one that everybody calls, all the time.
 *
 * usage: tails MILLISECONDS MILLISECONDS-BETWEEN-CALLS-OF-THE-RARE-ONE
 */
#include "common.h"

static volatile long sink;

PROBED long f_shared(long x) { sink += x; END(); return sink; }
/* A tail call, which -O2 makes a jump. */
PROBED long f_rare(long x) { sink += x; return f_shared(x + 1); }

int main(int argc, char **argv)
{
	uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + (argc > 1 ? atol(argv[1]) : 1000) * 1000000ULL;
	uint64_t between_ns = (argc > 2 ? atol(argv[2]) : 10) * 1000000ULL;
	uint64_t rare = 0;

	while (now_ns(CLOCK_MONOTONIC) < end_ns) {
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
