/* SPDX-License-Identifier: GPL-2.0 */
/* What eBPF programs add to a system call, measured with one of the agent's own that passes them. */
#ifndef KVIEW_CALL_COST_H
#define KVIEW_CALL_COST_H

#include <linux/types.h>

#include "mechanism/bpf/figures.h"

/* How many calls of getppid are made while attached: of each round some runs, and calls that find the caches cold. */
#define CALL_COST_ROUNDS	5
#define CALL_COST_RUNS		5
/*
 * make sanitized sets smaller numbers, because its test starts thousands of recordings and does
 * not check the price.
 */
#ifndef CALL_COST_CALLS
#define CALL_COST_CALLS		2000
#define CALL_COST_COLD_CALLS	5
#endif
#define CALL_COST_MADE	(CALL_COST_ROUNDS * (CALL_COST_RUNS * CALL_COST_CALLS + CALL_COST_COLD_CALLS))

/*
 * Measures some rounds of calls of getppid in turn with and without.  attach and detach get context.
 * Returns 0, or -1 where attach did or there is no memory.
 *
 * It is not known which part of the cost lies within a measured call.  So nothing is subtracted, and
 * inner_spread_ns is the whole cost: the greatest that was seen in a round, with cold caches as well,
 * and a quarter and 100 ns more, for what the program's own calls find otherwise.  Of a single call it is
 * no limit.
 */
int call_cost__measure(struct xp_cost *cost, int (*attach)(void *context),
		       void (*detach)(void *context), void *context);

#endif
