/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the stamps' clock to CLOCK_MONOTONIC, by which the events of the kernel's programs are: by pairs of both that are taken again and
 * again, with straight lines in between.  The kernel makes its clock of the same counter, so a time is wrong by no more than the pairs
 * around it are.
 */
#ifndef KVIEW_JUMP_AXIS_H
#define KVIEW_JUMP_AXIS_H

#include <stddef.h>

#include "place/clock.h"

#define AXIS_PAIRS 64

struct axis {
	struct clock_pair pairs[AXIS_PAIRS];	/* a ring */
	uint64_t nr;
};

/* Takes a pair, but not sooner than 1 ms after the last one; in_any_case: it does.  Returns the ticks of the last one. */
uint64_t axis__look(struct axis *axis, int in_any_case);
/* ticks: not after the last look. */
uint64_t axis__ns(const struct axis *axis, uint64_t ticks);

#endif
