/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of the stamps: the processor's time-stamp counter. */
#ifndef KVIEW_JUMP_CLOCK_H
#define KVIEW_JUMP_CLOCK_H

#include <stdint.h>

#include "base/error.h"

/*
 * Whether it can be trusted, and the processor has what the stamps use: the kernel keeps its own time by it, so it found it to
 * run evenly and alike on all processors.  Returns 0, or -1 with error.
 */
int clock__check(struct error *error);

/* A moment by both clocks. */
struct clock_pair {
	uint64_t ticks, ns;
};
struct clock_pair clock__now(void);
/* By another clock than that by which rates are measured. */
struct clock_pair clock__now_by(int clock);
/* Nanoseconds of each tick between two moments, 10 ms apart or more, times 2^32. */
uint64_t clock__rate(const struct clock_pair *from, const struct clock_pair *to);

#endif
