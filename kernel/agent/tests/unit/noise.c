// SPDX-License-Identifier: GPL-2.0
/* What comes by chance: a sum of few calls is uncertain by more of itself than one of many. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/trap/noise.h"

static void check(const char *name, double got, double expected)
{
	printf("%s %s: %g\n", fabs(got - expected) < 1e-6 * (1 + fabs(expected)) ? "ok" : "not ok",
	       name, got);
}

static void see(struct noise *noise, double last, size_t nr)
{
	double batches[] = { 1000, last, 1000, 1000, 990 };

	noise__see(noise, batches, nr);
}

/* How many of 10 000 sums, of which each has its share of as many disturbances, are beyond the bound. */
static void chance(const char *name, double expected, const double *lengths, size_t nr_lengths)
{
	uint64_t random = 88172645463325252ULL;
	struct noise noise = { 0 };
	int beyond = 0, i, j;
	double most;

	/* A thousand in a thousand batches of 5 000. */
	for (i = 0; i < 1000; i++)
		see(&noise, 1000 + lengths[i % nr_lengths], 5);
	most = noise__most_ns(&noise, noise.ns * expected / 1000);
	for (i = 0; i < 10000; i++) {
		double sum = 0;

		/* Each of a thousand comes with its share of the chance. */
		for (j = 0; j < 1000; j++) {
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			if ((random >> 11) * 0x1p-53 < expected / 1000)
				sum += lengths[(random >> 5) % nr_lengths];
		}
		beyond += sum > most + 1;
	}
	printf("%s %s, %g of them expected: %d of 10000 beyond\n", beyond <= 140 ? "ok" : "not ok", name, expected,
	       beyond);
}

int main(void)
{
	static const double same[] = { 10000 }, mixed[] = { 300, 300, 300, 300, 300, 300, 300, 300, 300, 20000 };
	static const double expected[] = { 0.005, 0.02, 0.05, 0.09, 0.13, 0.2, 0.3, 0.5, 0.6, 1, 3 };
	struct noise noise = { 0 };
	size_t i;

	check("nothing was looked at", noise__most_ns(&noise, 1000), 0);
	see(&noise, 1000, 5);
	check("nothing was seen", noise__most_ns(&noise, 1000), 0);
	see(&noise, 1400, 2);
	check("of two it can't be told which was disturbed", noise.ns, 4990);
	see(&noise, 1400, 5);
	check("all that was looked at", noise.ns, 10380);
	check("what is less is no disturbance", noise.excess_ns, 400);
	/* Once in 10380 ns, 400 each time. */
	check("of as long a time", noise__most_ns(&noise, 10380), 400 + 3 * 400);
	check("of a hundred times as long a time", noise__most_ns(&noise, 1038000), 40000 + 30 * 400);
	check("of a hundredth nearly none is whole", noise__most_ns(&noise, 115), 400 + 4);
	check("where there is one in a hundred times at most", noise__most_ns(&noise, 103), 3);
	check("beside another error of the same sign", noise__beside(&noise, 10380, 1200), 2800);
	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		chance("disturbances of one length", expected[i], same, 1);
		chance("of several", expected[i], mixed, 10);
	}
	return 0;
}
