// SPDX-License-Identifier: GPL-2.0
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "mechanism/cache_walk.h"
#include "mechanism/cost/call_cost.h"

#define ROUNDS		5
#define RUNS		5	/* of many calls, a round */
#define RESTED_CALLS	1
/* make sanitized sets smaller numbers, because its test starts thousands of recordings and does not check the price. */
#ifndef CALL_COST_CALLS
#define CALL_COST_CALLS	2000
#define CALL_COST_COLD_CALLS	5
/* How long it sleeps before a call: longer sleeps make that no dearer. */
#define CALL_COST_REST_NS	5000000
#endif
/*
 * A run has fewer calls, but not less than so many, where it would take more CPU time than that, as on an
 * emulated machine: there each recording began seconds later.
 */
#define LEAST_CALLS	(CALL_COST_CALLS / 20)
#define RUN_NS		4e6
#define ASSUMED_US	10

/* What calls take, in ns. */
struct round {
	double least, middle;	/* of runs of many calls */
	double cold;		/* of calls that find nothing of theirs in the caches: the middle one */
	double rested;		/* of one call after a sleep */
	double walk;		/* the shortest time in which they were emptied */
	uint64_t calls;		/* that were made */
};

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void call_getppid(void)
{
	syscall(SYS_getppid);
}

/* In CPU time, which leaves out who else has the CPU meanwhile. */
static double run__ns(void (*call)(void), unsigned int calls)
{
	uint64_t begin_ns = clock__cpu_ns();
	unsigned int i;

	for (i = 0; i < calls; i++)
		call();
	return (double)(clock__cpu_ns() - begin_ns) / calls;
}

static unsigned int run__calls(double call_ns)
{
	double calls = call_ns > 0 ? RUN_NS / call_ns : CALL_COST_CALLS;

	return calls < LEAST_CALLS ? LEAST_CALLS : calls < CALL_COST_CALLS ? calls : CALL_COST_CALLS;
}

/* By a clock that needs no system call: that would warm the way into the kernel. */
static double cold__ns(void (*call)(void), const struct cache_walk *walk, double *walk_ns)
{
	uint64_t walk_begin_ns = clock__now_ns(), begin_ns;

	cache_walk__go(walk);
	begin_ns = clock__now_ns();
	call();
	if (begin_ns - walk_begin_ns < *walk_ns)
		*walk_ns = begin_ns - walk_begin_ns;
	return clock__now_ns() - begin_ns;
}

static double rested__ns(void (*call)(void))
{
	static const struct timespec rest = { .tv_nsec = CALL_COST_REST_NS };
	uint64_t begin_ns;

	nanosleep(&rest, NULL);
	begin_ns = clock__now_ns();
	call();
	return clock__now_ns() - begin_ns;
}

static struct round round__measure(void (*call)(void), const struct cache_walk *walk)
{
	double runs[RUNS], cold[CALL_COST_COLD_CALLS + 1] = { 0 };
	unsigned int calls = run__calls(run__ns(call, LEAST_CALLS));
	double walk_ns = UINT32_MAX;
	int i;

	for (i = 0; i < RUNS; i++)
		runs[i] = run__ns(call, calls);
	for (i = 0; i < CALL_COST_COLD_CALLS; i++)
		cold[i] = cold__ns(call, walk, &walk_ns);
	qsort(runs, RUNS, sizeof(*runs), compare);
	qsort(cold, CALL_COST_COLD_CALLS, sizeof(*cold), compare);
	return (struct round){ runs[0], runs[RUNS / 2], cold[CALL_COST_COLD_CALLS / 2], rested__ns(call),
			       walk_ns, LEAST_CALLS + RUNS * calls + CALL_COST_COLD_CALLS + RESTED_CALLS };
}

static double greater(double a, double b)
{
	return a > b ? a : b;
}

int call_cost__measure_of(void (*call)(void), struct xp_cost *cost, uint64_t *made, int (*attach)(void *context),
			  void (*detach)(void *context), void *context)
{
	double least = UINT32_MAX, most = 0, walk_ns = UINT32_MAX, rested[ROUNDS];
	struct cache_walk walk;
	int result = -1, i;

	*made = 0;
	if (cache_walk__init(&walk))
		return -1;
	for (i = 0; i < ROUNDS; i++) {
		struct round without, with;

		/* Never while the calls count: those of others whom the agent serves would be among them. */
		loop__breathe();
		without = round__measure(call, &walk);
		loop__breathe();
		if (attach(context))
			goto out;
		with = round__measure(call, &walk);
		detach(context);
		loop__breathe();
		*made += with.calls;
		if (with.least - without.least < least)
			least = greater(with.least - without.least, 0);
		rested[i] = with.rested - without.rested;
		if (with.walk < walk_ns)
			walk_ns = with.walk;
		most = greater(most, greater(with.middle - without.least, with.cold - without.cold));
	}
	memset(cost, 0, sizeof(*cost));
	cost->call_ns = least;
	cost->call_spread_ns = greater(most - least, 0);
	cost->likely_ns = cost->call_ns + cost->call_spread_ns / 2;
	cost->cold_every_ns = walk_ns < UINT32_MAX ? walk_ns / CACHE_WALKS : 0;
	cost->inner_spread_ns = most + most / 4 + 100;
	qsort(rested, ROUNDS, sizeof(*rested), compare);
	/* The highest may have been interrupted. */
	most = rested[ROUNDS - 2] + rested[ROUNDS - 2] / 4;
	cost->rested_inner_ns = greater(most - cost->inner_spread_ns, 0);
	cost->rested_call_ns = greater(most - cost->call_ns - cost->call_spread_ns, 0);
	cost->rested_likely_ns = greater(rested[ROUNDS / 2] - cost->likely_ns, 0);
	result = 0;
out:
	cache_walk__free(&walk);
	return result;
}

int call_cost__measure(struct xp_cost *cost, uint64_t *made, int (*attach)(void *context),
		       void (*detach)(void *context), void *context)
{
	return call_cost__measure_of(call_getppid, cost, made, attach, detach, context);
}

void call_cost__assume(struct xp_cost *cost, char *note, size_t size)
{
	size_t length = strlen(note);

	*cost = (struct xp_cost){ .likely_ns = ASSUMED_US * 1000 };
	snprintf(note + length, size - length, " The bill and the budget take %d µs for each call, which is rather too much.", ASSUMED_US);
}
