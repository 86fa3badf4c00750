// SPDX-License-Identifier: GPL-2.0
/* What calls are said to cost: those that come faster than anything can make caches cold find them warm. */
#include <stdio.h>

#include "check.h"
#include "mechanism/figures.h"

#define SLOTS		2
#define MEASURED_NS	1000000000ULL
#define WARM_NS		100
#define HALFWAY_NS	2000
#define COLD_EVERY_NS	1000000
#define COLD		(MEASURED_NS / COLD_EVERY_NS)	/* at most, of one CPU */

static struct xp_calls calls[SLOTS];
static struct xp_cost costs[XP_COST_CLASSES];

static uint64_t cost_ns(uint64_t on_first, uint64_t on_second)
{
	struct figures counts = { .calls = calls, .costs = costs, .slots = SLOTS, .functions = 1 };

	calls[0].ended[0] = on_first;
	calls[1].ended[0] = on_second;
	figures__begin(&counts, 1000);
	counts.end_ns = counts.begin_ns + MEASURED_NS;
	/* As on a machine with as many CPUs as slots. */
	counts.cpus = 1;
	check(figures__ended_ns(&counts, 0) == figures__calls(&counts, 0).cost_ns, "both sums are the same",
	      figures__ended_ns(&counts, 0));
	return figures__calls(&counts, 0).cost_ns;
}

int main(void)
{
	uint64_t ns;

	costs[0] = (struct xp_cost){ .call_ns = WARM_NS, .likely_ns = HALFWAY_NS, .cold_every_ns = COLD_EVERY_NS };
	ns = cost_ns(10, 0);
	check(ns == 10 * HALFWAY_NS, "a few calls can all find cold caches", ns);
	ns = cost_ns(1000000, 0);
	check(ns == COLD * HALFWAY_NS + (1000000 - COLD) * WARM_NS, "many come faster than caches get cold", ns);
	ns = cost_ns(1000000, 1000000);
	check(ns == 2 * (COLD * HALFWAY_NS + (1000000 - COLD) * WARM_NS), "on each CPU by itself", ns);
	costs[0].cold_every_ns = 0;
	ns = cost_ns(1000000, 0);
	check(ns == 1000000ULL * HALFWAY_NS, "where that is not known each call may", ns);
	return failed;
}
