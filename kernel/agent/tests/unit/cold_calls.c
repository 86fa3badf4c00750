// SPDX-License-Identifier: GPL-2.0
/* What calls are said to cost: those that come faster than anything can make caches cold find them warm. */
#include <stdio.h>

#include "base/loop.h"
#include "check.h"
#include "mechanism/figures.h"

#define WARM_NS		100
#define HALFWAY_NS	2000
#define COLD_EVERY_NS	1000000000ULL
/* While the test runs no call more can find cold caches, but the first one of a look. */
#define WINDOW		100

static struct xp_calls calls;
static struct xp_cost costs[XP_COST_CLASSES];
static struct figures counts = { .calls = &calls, .costs = costs, .slots = 1, .functions = 1 };

/* What one thread's calls cost that come within so many times that time, after all of the former. */
static uint64_t cost_ns(uint64_t windows, uint64_t more)
{
	uint64_t before_ns = figures__calls(&counts, 0).cost_ns;

	calls.ended[0] += more;
	counts.cold[0].looked_ns = clock__now_ns() - windows * COLD_EVERY_NS;
	return figures__calls(&counts, 0).cost_ns - before_ns;
}

int main(void)
{
	uint64_t ns;

	calls.threads = 1;
	costs[0] = (struct xp_cost){ .call_ns = WARM_NS, .likely_ns = HALFWAY_NS, .cold_every_ns = COLD_EVERY_NS };
	check(!figures__begin(&counts, clock__now_ns()), "it begins", 0);
	ns = cost_ns(WINDOW, 10);
	check(ns == 10 * HALFWAY_NS, "a few calls can all find cold caches", ns);
	ns = cost_ns(WINDOW, 1000000);
	check(ns == (WINDOW + 1) * HALFWAY_NS + (1000000 - WINDOW - 1) * WARM_NS, "many come faster than caches get cold", ns);
	ns = cost_ns(10 * WINDOW, 0);
	check(!ns, "time alone costs nothing", ns);
	ns = figures__calls(&counts, 0).cost_ns;
	calls.ended[0] += 1000000;
	ns = figures__calls(&counts, 0).cost_ns - ns;
	check(ns == HALFWAY_NS + (1000000 - 1) * WARM_NS, "nor does it save up for calls that come fast afterwards", ns);
	check(figures__ended_ns(&counts, 0) == figures__calls(&counts, 0).cost_ns, "both sums are the same",
	      figures__ended_ns(&counts, 0));
	ns = figures__calls(&counts, 0).cost_ns;
	calls.rested_ns = 5000;
	check(figures__calls(&counts, 0).cost_ns - ns == 5000, "what rested probes cost more is part of it", figures__calls(&counts, 0).cost_ns - ns);
	check(figures__ended_ns(&counts, 0) == figures__calls(&counts, 0).cost_ns, "and of both sums", figures__ended_ns(&counts, 0));
	calls.rested_ns = 0;
	costs[0].cold_every_ns = 0;
	ns = figures__calls(&counts, 0).cost_ns;
	check(ns == calls.ended[0] * HALFWAY_NS, "where that is not known each call may", ns);
	figures__end(&counts);
	return failed;
}
