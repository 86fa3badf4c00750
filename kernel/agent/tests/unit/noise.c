// SPDX-License-Identifier: GPL-2.0
/* What comes by chance: a sum of few calls is uncertain by more of itself than one of many. */
#include <math.h>
#include <stdio.h>

#include "mechanism/trap/noise.h"

static void check(const char *name, double got, double expected)
{
	printf("%s %s: %g\n", fabs(got - expected) < 1e-6 * (1 + fabs(expected)) ? "ok" : "not ok",
	       name, got);
}

int main(void)
{
	const double quiet[] = { 1000, 1000, 1000, 1000, 1000 };
	const double interrupted[] = { 990, 1000, 1000, 1000, 1400 };
	struct noise noise = { 0 };

	check("nothing was looked at", noise__most_ns(&noise, 1000), 0);
	noise__see(&noise, quiet, 5);
	check("nothing was seen", noise__most_ns(&noise, 1000), 0);
	noise__see(&noise, interrupted, 5);
	check("all that was looked at", noise.ns, 10390);
	check("what is less is no disturbance", noise.excess_ns, 400);
	/* Once in 10390 ns, 400 each time. */
	check("of as long a time", noise__most_ns(&noise, 10390), 400 + 3 * 400);
	check("of a hundred times as long a time", noise__most_ns(&noise, 1039000), 40000 + 30 * 400);
	check("of a hundredth", noise__most_ns(&noise, 104), floor(4.0039 + .10005 * 3 * 400));
	check("beside another error", noise__beside(&noise, 10390, 1200), 2000);
	check("where there is hardly ever one", noise__most_ns(&noise, 20), 0);
	return 0;
}
