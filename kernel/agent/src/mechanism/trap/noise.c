// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "mechanism/trap/estimate.h"
#include "mechanism/trap/noise.h"

#define DEVIATIONS	3
#define MIN_BATCHES	3
/* The share of bounds that may turn out too narrow. */
#define CHANCE		0.01

static size_t noise__kept(const struct noise *noise)
{
	return noise->nr < NOISE_LONGEST ? noise->nr : NOISE_LONGEST;
}

static void noise__keep(struct noise *noise, double excess_ns)
{
	size_t at = noise__kept(noise), last;

	while (at && noise->longest[at - 1] < excess_ns)
		at--;
	noise->nr++;
	last = noise__kept(noise) - 1;
	if (at > last)
		return;
	memmove(&noise->longest[at + 1], &noise->longest[at], (last - at) * sizeof(*noise->longest));
	noise->longest[at] = excess_ns;
}

void noise__see(struct noise *noise, double *batches_ns, size_t nr)
{
	double usual_ns, excess_ns;
	size_t i;

	if (nr < MIN_BATCHES)
		return;
	usual_ns = median(batches_ns, nr);
	for (i = 0; i < nr; i++) {
		noise->ns += batches_ns[i];
		excess_ns = batches_ns[i] - usual_ns;
		if (excess_ns <= 0)
			continue;
		noise->excess_ns += excess_ns;
		noise->squares += excess_ns * excess_ns;
		noise__keep(noise, excess_ns);
	}
}

/*
 * The longest disturbance that a stretch of time, this share of the calibration's, meets with a probability of more than
 * CHANCE; 0: there is none.
 */
static double noise__likely_one(const struct noise *noise, double share)
{
	double longer = floor(CHANCE / share);

	if (longer >= noise->nr)
		return 0;
	return noise->longest[longer < NOISE_LONGEST ? (size_t)longer : NOISE_LONGEST - 1];
}

uint64_t noise__most_ns(const struct noise *noise, uint64_t ns)
{
	double share, excess_ns, squares, whole_ns, most_ns, one_ns;

	if (noise->excess_ns <= 0 || !ns)
		return 0;
	share = ns / noise->ns;
	excess_ns = share * noise->excess_ns;
	squares = share * noise->squares;
	/* The usual length of a disturbance, where each weighs as much as it is long. */
	whole_ns = noise->squares / noise->excess_ns;
	most_ns = excess_ns + DEVIATIONS * sqrt(squares);
	one_ns = excess_ns + noise__likely_one(noise, share);
	/* Disturbances come as wholes: less than one is none, and a fraction above is one more. */
	most_ns = most_ns < whole_ns ? 0 : ceil(most_ns / whole_ns) * whole_ns;
	return most_ns > one_ns ? most_ns : one_ns;
}

uint64_t noise__beside(const struct noise *noise, uint64_t ns, uint64_t uncertain_ns)
{
	return uncertain_ns + noise__most_ns(noise, ns);
}
