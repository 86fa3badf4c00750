/* SPDX-License-Identifier: GPL-2.0 */
/* What a recording lost, summed up from the kernel's counters. */
#ifndef KVIEW_LOSSES_H
#define KVIEW_LOSSES_H

#include "agent.pb-c.h"
#include "mechanism/figures.h"

/*
 * Adds what functions 0 .. nr - 1 lost by now, whose figures are at points, by function.  At the end, with nothing attached, each is
 * held against the sum that struct xp_calls promises: unaccounted_calls is by how much the
 * functions fail it, one way or the other.
 */
void losses__of_calls(Kview__Wire__Losses *losses, const struct point_figures *points, size_t nr,
		      bool at_end);

#endif
