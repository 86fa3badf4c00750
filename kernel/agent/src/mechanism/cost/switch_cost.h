/* SPDX-License-Identifier: GPL-2.0 */
/* What eBPF programs at the scheduler's tracepoints add to a context switch, measured with two of the agent's own processes. */
#ifndef KVIEW_SWITCH_COST_H
#define KVIEW_SWITCH_COST_H

#include <stdint.h>

/*
 * How much longer a context switch between this thread and another process takes on average while
 * attached.  attach and detach get context.  Returns 0, or -1 where something failed.
 */
int switch_cost__measure(uint64_t *cost_ns, int (*attach)(void *context),
			 void (*detach)(void *context), void *context);

#endif
