/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far the measured cost of probes was from the cost that is subtracted, and the error bound that
 * follows from it.
 *
 * A neighbour on the same core slows all that runs there, probes of any kind by about the same
 * factor, and comes and goes within ms.  So one range of factors serves all kinds: the kind that
 * is in a figure need not be the one that was measured at that moment.
 */
#ifndef KVIEW_COST_RANGE_H
#define KVIEW_COST_RANGE_H

#include <stdint.h>

struct cost_range {
	double highest;		/* times what is subtracted; at least 1 */
	double lowest;		/* at most 1 */
};

#define COST_RANGE_NONE	((struct cost_range){ 1, 1 })

/* Notes that something cost ns where used_ns is subtracted.  Ordinary differences of rounds do not count. */
void cost_range__see(struct cost_range *range, double ns, double used_ns);

/*
 * By how much more than warm_ns, which is subtracted, a probe may cost: with cold caches
 * (cold_ns, and at most cold_highest_ns in any round) and beside a neighbour.
 */
double cost_range__spread(const struct cost_range *range, double warm_ns, double cold_ns,
			  double cold_highest_ns);

/*
 * Returns the bound of a sum after the range was widened from before to after; uncertain_ns is its
 * bound by before.
 */
uint64_t cost_range__widened(const struct cost_range *before, const struct cost_range *after,
			     uint64_t removed_ns, uint64_t uncertain_ns);

#endif
