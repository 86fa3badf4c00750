/* SPDX-License-Identifier: GPL-2.0 */
/* What eBPF programs add to a system call, measured with one of the agent's own that passes them. */
#ifndef KVIEW_CALL_COST_H
#define KVIEW_CALL_COST_H

#include <linux/types.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/bpf/figures.h"

/*
 * Measures some rounds of calls of getppid in turn with and without.  attach and detach get context.
 * made: how many calls there were while attached; fewer where a call takes long, as on an emulated machine.  Returns 0, or -1 where attach did or there is no memory.
 *
 * It is not known which part of the cost lies within a measured call.  So nothing is subtracted, and
 * inner_spread_ns is the whole cost: the greatest that was seen in a round, with cold caches as well,
 * and a quarter and 100 ns more, for what the program's own calls find otherwise.  Of a single call it is
 * no limit.
 *
 * cold_every_ns is how long the measuring took to write as much memory as the second-level cache has: about what a program
 * needs to find nothing there of what it had.
 */
int call_cost__measure(struct xp_cost *cost, uint64_t *made, int (*attach)(void *context),
		       void (*detach)(void *context), void *context);
/* The same of something else than calls of getppid. */
int call_cost__measure_of(void (*call)(void), struct xp_cost *cost, uint64_t *made, int (*attach)(void *context),
			  void (*detach)(void *context), void *context);
/*
 * Where it could not be measured, which note says: nothing is taken off for it, but the bill has more than probes cost nearly
 * anywhere, so that a budget limits them.  Adds a sentence on that to the note.
 */
void call_cost__assume(struct xp_cost *cost, char *note, size_t size);

#endif
