// SPDX-License-Identifier: GPL-2.0
/* What is made of a neighbour that some rounds saw: the bound has to hold it. */
#include <math.h>
#include <stdio.h>

#include "mechanism/trap/cost_range.h"

static void check(const char *name, double got, double expected)
{
	printf("%s %s: %g\n", fabs(got - expected) < 1e-6 * (1 + fabs(expected)) ? "ok" : "not ok",
	       name, got);
}

static struct cost_range seen(double ns, double used_ns)
{
	struct cost_range range = COST_RANGE_NONE;

	cost_range__see(&range, ns, used_ns);
	return range;
}

static void ranges(void)
{
	struct cost_range range = seen(2000, 1000);

	check("a neighbour doubles the cost", range.highest, 2);
	check("and does not lower it", range.lowest, 1);
	cost_range__see(&range, 15000, 10000);
	check("of kinds the worst counts", range.highest, 2);
	cost_range__see(&range, 500, 1000);
	check("it was measured beside a neighbour", range.lowest, 0.5);
	check("what rounds differ by anyway is no neighbour", seen(1070, 1000).highest, 1);
	check("nor is a tick on next to nothing", seen(30, 1).highest, 1);
	check("no cost, no range", seen(30, 0).highest, 1);
}

static void spreads(void)
{
	const struct cost_range rest = COST_RANGE_NONE, twice = seen(2000, 1000);

	check("at rest: cold caches", cost_range__spread(&rest, 1000, 1500, 1600), 600);
	check("beside a neighbour: with warm caches", cost_range__spread(&twice, 1000, 900, 950), 1000);
	check("with cold ones", cost_range__spread(&twice, 1000, 1500, 1600), 2000);
	check("cold ones that were dearer yet", cost_range__spread(&twice, 1000, 1500, 3500), 2500);
}

static void widened(void)
{
	const struct cost_range rest = COST_RANGE_NONE, twice = seen(2000, 1000);
	const struct cost_range thrice = seen(3000, 1000), half = seen(500, 1000);

	check("nothing new: as before", cost_range__widened(&twice, &twice, 1000000, 250000), 250000);
	check("dearer than was seen before", cost_range__widened(&rest, &twice, 1000000, 250000), 1500000);
	check("what was seen before is in it", cost_range__widened(&twice, &thrice, 1000000, 1000000),
	      2000000);
	check("cheaper than what was removed", cost_range__widened(&rest, &half, 1000000, 250000), 500000);
	check("not by less than before", cost_range__widened(&rest, &half, 1000000, 700000), 700000);
	check("nothing removed, nothing uncertain", cost_range__widened(&rest, &twice, 0, 0), 0);
}

int main(void)
{
	ranges();
	spreads();
	widened();
	return 0;
}
