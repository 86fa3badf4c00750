// SPDX-License-Identifier: GPL-2.0
/*
 * A point that stays as what made it dear goes: it is judged once that is gone, however long it takes.
 * The mechanism is one of the test's own, and the traced process is the test itself.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "recording/spending.h"

/* Beyond ten times the budget, whatever else runs. */
#define BURN_NS		60000000ULL
#define BUDGET_PPM	50000

static struct xp_calls calls;
static struct xp_total totals;
static struct xp_buckets buckets;
static struct xp_cost costs[XP_COST_CLASSES];
static bool can_relieve = true, relieving;
static unsigned int relieved, drops;

static size_t relieve(struct mechanism *mechanism, uint32_t *points, size_t nr, uint32_t *kept)
{
	if (!can_relieve)
		return nr;
	relieved++;
	kept[0] = points[0];
	can_relieve = false;
	return 0;
}

static bool is_relieving(const struct mechanism *mechanism)
{
	return relieving;
}

static int drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		const uint32_t *kept, size_t nr_kept, struct error *error)
{
	drops++;
	relieving = true;
	return 0;
}

static void settle(struct mechanism *mechanism)
{
}

static struct mechanism_children children(const struct mechanism *mechanism)
{
	return (struct mechanism_children){ 0 };
}

/* Until the next look the probes take most of the process's time. */
static bool look_after(struct spending *spending, bool dear)
{
	struct timespec now;
	uint64_t begin_ns = 0, ns;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
		begin_ns = begin_ns ? begin_ns : ns;
	} while (ns < begin_ns + BURN_NS);
	if (dear)
		calls.cost_ns += BURN_NS;
	return spending__look(spending);
}

int main(void)
{
	static const struct mechanism_ops ops = {
		.relieve = relieve, .is_relieving = is_relieving, .drop = drop,
		.settle = settle, .children = children,
	};
	struct mechanism mechanism = {
		.ops = &ops, .pid = getpid(), .nr = 1,
		.figures = { .calls = &calls, .totals = &totals, .buckets = &buckets,
			     .costs = costs, .slots = 1, .functions = 1 },
	};
	const struct spending_opts opts = { .mechanism = &mechanism, .budget_ppm = BUDGET_PPM };
	struct spending *spending = spending__new(&opts);

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!spending)
		return 1;
	check(look_after(spending, true) && relieved == 1 && drops == 1,
	      "what makes it dear is given up first", 1);
	for (int i = 0; i < 3; i++)
		check(look_after(spending, true) && drops == 1,
		      "as long as that is met it is not judged", i);
	relieving = false;
	check(look_after(spending, true) && drops == 1, "nor for what was met since the last look", 1);
	check(look_after(spending, false) && drops == 1, "it stays where it is cheap from then on", 1);
	check(!look_after(spending, true) && drops == 1, "where it is dear it comes off", 1);
	spending__free(spending);
	return failed;
}
