/* SPDX-License-Identifier: GPL-2.0 */
/* Rounds in which each class of probes is measured. */
#ifndef KVIEW_CALIBRATE_ROUNDS_H
#define KVIEW_CALIBRATE_ROUNDS_H

#include "mechanism/trap/calibrate_bench.h"
#include "mechanism/trap/cost_range.h"
#include "mechanism/trap/estimate.h"

/* Of one class. */
struct estimates {
	struct estimate inner[CACHES], call[CACHES];
	double inner_high_ns, call_high_ns;	/* with warm caches, in any round */
};

/* One round of the bench's classes.  Returns 0, or -1: not all calls were seen. */
int estimates__measure(struct estimates *estimates, const struct bench *bench,
		       enum calibrate_caches caches, struct noise *noise);

/* The time between rounds, since a neighbour that comes for a moment would disturb all of them. */
#define ROUNDS_APART_US	15000

/*
 * Lets that time pass: meanwhile the child sleeps, and calls some of the classes after that, in turn; all in round 0.  Returns
 * 0, or -1: not all calls were seen.
 */
int estimates__rest(struct estimates *estimates, const struct bench *bench, int round);

/* How far classes were from costs that were settled on, in these rounds or earlier ones. */
void estimates__see_range(const struct estimates *estimates, uint32_t classes,
			  const struct xp_cost *costs, struct cost_range *range);

/*
 * Widens the range by how much more a call costs if many threads hit probes at the same time: the
 * highest ratio of all classes.  Returns the highest number of threads that did.
 */
unsigned int crowd__see_range(const struct bench *bench, struct cost_range *range);

#endif
