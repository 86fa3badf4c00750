// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "mechanism/trap/estimate.h"

#define MIN_AGREEING	5
/* What rounds differ by on an idle machine, several times over. */
#define TOLERANCE	0.08
#define TOLERANCE_NS	40

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double median(double *values, size_t nr)
{
	qsort(values, nr, sizeof(*values), compare);
	return nr ? values[nr / 2] : 0;
}

void estimate__add(struct estimate *estimate, double ns)
{
	if (estimate->nr == ESTIMATE_MAX_ROUNDS)
		estimate->nr--;
	estimate->rounds[estimate->nr++] = ns;
}

bool estimate__agree(double ns, double other_ns)
{
	double low = ns < other_ns ? ns : other_ns, high = ns < other_ns ? other_ns : ns;

	return high <= low * (1 + TOLERANCE) + TOLERANCE_NS;
}

double estimate__lowest(const struct estimate *estimate)
{
	double lowest = estimate->nr ? estimate->rounds[0] : 0;
	size_t i;

	for (i = 1; i < estimate->nr; i++)
		if (estimate->rounds[i] < lowest)
			lowest = estimate->rounds[i];
	return lowest;
}

double estimate__highest(const struct estimate *estimate)
{
	double highest = 0;
	size_t i;

	for (i = 0; i < estimate->nr; i++)
		if (estimate->rounds[i] > highest)
			highest = estimate->rounds[i];
	return highest;
}

/* A round by its place among all of them. */
static double ranked(const struct estimate *estimate, size_t rank)
{
	double values[ESTIMATE_MAX_ROUNDS];

	if (rank >= estimate->nr)
		return 0;
	memcpy(values, estimate->rounds, estimate->nr * sizeof(*values));
	qsort(values, estimate->nr, sizeof(*values), compare);
	return values[rank];
}

double estimate__middle(const struct estimate *estimate)
{
	return ranked(estimate, estimate->nr / 2);
}

double estimate__second_highest(const struct estimate *estimate)
{
	return ranked(estimate, estimate->nr > 2 ? estimate->nr - 2 : estimate->nr - 1);
}

/* Copies the rounds that agree with the lowest; returns how many. */
static size_t agreeing(const struct estimate *estimate, double *values)
{
	double lowest = estimate__lowest(estimate);
	size_t nr = 0, i;

	for (i = 0; i < estimate->nr; i++)
		if (estimate__agree(lowest, estimate->rounds[i]))
			values[nr++] = estimate->rounds[i];
	return nr;
}

bool estimate__settled(const struct estimate *estimate)
{
	double values[ESTIMATE_MAX_ROUNDS];
	size_t nr = agreeing(estimate, values);

	return nr >= MIN_AGREEING && 2 * nr > estimate->nr;
}

double estimate__value(const struct estimate *estimate)
{
	double values[ESTIMATE_MAX_ROUNDS];

	return median(values, agreeing(estimate, values));
}

double estimate__error(const struct estimate *estimate)
{
	double values[ESTIMATE_MAX_ROUNDS];
	size_t nr = agreeing(estimate, values);

	if (!nr)
		return 0;
	if (!estimate__settled(estimate))
		return estimate__highest(estimate) - estimate__lowest(estimate);
	qsort(values, nr, sizeof(*values), compare);
	return values[nr - 1] - values[0];
}
