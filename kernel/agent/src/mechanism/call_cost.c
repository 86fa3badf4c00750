// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/loop.h"
#include "mechanism/call_cost.h"

/* The fastest of some runs: what disturbs one makes it slower. */
static uint64_t run__ns(void)
{
	uint64_t best = UINT64_MAX, begin, took;
	int run, i;

	for (run = 0; run < CALL_COST_RUNS; run++) {
		begin = clock__now_ns();
		for (i = 0; i < CALL_COST_CALLS; i++)
			syscall(SYS_getppid);
		took = clock__now_ns() - begin;
		if (took < best)
			best = took;
	}
	return best / CALL_COST_CALLS;
}

int call_cost__measure(struct xp_cost *cost, int (*attach)(void *context),
		       void (*detach)(void *context), void *context)
{
	uint64_t least = UINT64_MAX, most = 0;
	int round;

	for (round = 0; round < CALL_COST_ROUNDS; round++) {
		uint64_t without = run__ns(), with, more;

		if (attach(context))
			return -1;
		with = run__ns();
		detach(context);
		more = with > without ? with - without : 0;
		if (more < least)
			least = more;
		if (more > most)
			most = more;
	}
	memset(cost, 0, sizeof(*cost));
	cost->call_ns = least;
	cost->call_spread_ns = most - least;
	cost->likely_ns = (least + most) / 2;
	cost->inner_spread_ns = most;
	return 0;
}
