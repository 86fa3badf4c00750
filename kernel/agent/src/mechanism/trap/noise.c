// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "mechanism/trap/noise.h"

#define DEVIATIONS	3
/*
 * Of disturbances that are expected less often, taken as equally long, there is none.  Long ones
 * weigh most in that, so there are several times as many: still hardly one of 100 sums has any.
 */
#define EXPECTED	0.002

void noise__see(struct noise *noise, const double *batches_ns, size_t nr)
{
	double usual_ns = nr ? batches_ns[nr / 2] : 0, excess_ns;
	size_t i;

	for (i = 0; i < nr; i++) {
		noise->ns += batches_ns[i];
		excess_ns = batches_ns[i] - usual_ns;
		if (excess_ns <= 0)
			continue;
		noise->excess_ns += excess_ns;
		noise->squares += excess_ns * excess_ns;
	}
}

uint64_t noise__most_ns(const struct noise *noise, uint64_t ns)
{
	double share, excess_ns, squares;

	if (noise->ns <= 0)
		return 0;
	share = ns / noise->ns;
	excess_ns = share * noise->excess_ns;
	squares = share * noise->squares;
	if (excess_ns * excess_ns < EXPECTED * squares)
		return 0;
	return excess_ns + DEVIATIONS * sqrt(squares);
}

uint64_t noise__beside(const struct noise *noise, uint64_t ns, uint64_t uncertain_ns)
{
	double most_ns = noise__most_ns(noise, ns);

	return sqrt((double)uncertain_ns * uncertain_ns + most_ns * most_ns);
}
