/* SPDX-License-Identifier: GPL-2.0 */
/* What measuring a call by jumps costs on this machine. */
#ifndef KVIEW_JUMP_STAMP_COST_H
#define KVIEW_JUMP_STAMP_COST_H

#include <stdbool.h>

#include "base/error.h"
#include "place/clock.h"

struct stamp_cost {
	/* Ticks that a call's own time is too long by, and a call takes longer; the least of many rounds. */
	uint64_t inner, call;
	double inner_ns, call_ns;	/* the same, in ns */
	double inner_spread_ns, call_spread_ns;	/* up to three of four rounds: so much more */
	uint64_t rate;			/* as clock__rate */
};

/*
 * Measures it with a function that does nothing, in this process, with times on CPUs, and as calls that are told of singly where
 * events is set.  Takes about 50 ms.  Returns 0, or -1 with
 * error.
 */
int stamp_cost__measure(struct stamp_cost *cost, bool events, struct error *error);

#endif
