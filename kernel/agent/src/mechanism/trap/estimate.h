/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What something costs, from rounds of measurements on a machine that others use as well.
 *
 * A disturbance only adds.  So the lowest round is the least disturbed one, and what the
 * machine does when left alone is known once most rounds agree with it.
 */
#ifndef KVIEW_ESTIMATE_H
#define KVIEW_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#define ESTIMATE_MAX_ROUNDS	64

struct estimate {
	double rounds[ESTIMATE_MAX_ROUNDS];	/* ns */
	size_t nr;
};

/* When there is no room for more rounds, the new one replaces the last one. */
void estimate__add(struct estimate *estimate, double ns);

/* Whether at least five rounds, and more than half of them, agree with the lowest. */
bool estimate__settled(const struct estimate *estimate);

/* The median of the rounds that agree with the lowest; 0 without rounds. */
double estimate__value(const struct estimate *estimate);

/*
 * By how much that may be wrong: the range of the rounds that agree, or of all of them where
 * too few do.
 */
double estimate__error(const struct estimate *estimate);

/* The lowest and the highest round. */
double estimate__lowest(const struct estimate *estimate);
double estimate__highest(const struct estimate *estimate);

/* Of all rounds: the middle one, and of more than two the highest but one, as the highest may have been interrupted; 0 without rounds. */
double estimate__middle(const struct estimate *estimate);
double estimate__second_highest(const struct estimate *estimate);

/* Whether two costs are so close that a call's figures are the same for either. */
bool estimate__agree(double ns, double other_ns);

/* The middle one of some values, which it sorts. */
double median(double *values, size_t nr);

#endif
