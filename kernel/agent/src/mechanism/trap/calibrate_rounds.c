// SPDX-License-Identifier: GPL-2.0
#include "base/loop.h"
#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/calibrate_crowd.h"
#include "mechanism/trap/calibrate_rounds.h"

/*
 * Where all need one lock each waits for all others, and where memory moves between CPUs for somewhat
 * longer.  What is beyond is a machine that was away, as virtual CPUs are in the midst of that.
 */
#define CROWD_DEARER	1.5

int estimates__measure(struct estimates *estimates, const struct bench *bench,
		       enum calibrate_caches caches, struct noise *noise)
{
	struct bench_cost cost;
	struct estimates *e;
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		if (!(bench->classes & CALIBRATE_BIT(class)))
			continue;
		if (bench__measure(bench, class, caches, &cost, noise))
			return -1;
		e = &estimates[class];
		estimate__add(&e->inner[caches], cost.inner_ns);
		estimate__add(&e->call[caches], cost.call_ns);
		if (caches != CACHES_WARM)
			continue;
		if (cost.inner_high_ns > e->inner_high_ns)
			e->inner_high_ns = cost.inner_high_ns;
		if (cost.call_high_ns > e->call_high_ns)
			e->call_high_ns = cost.call_high_ns;
	}
	return 0;
}

#define RESTS_A_ROUND	(ROUNDS_APART_US / (CALIBRATE_REST_NS / 1000))

/* So many of the classes, others in each round. */
static uint32_t classes_in_turn(uint32_t classes, int round)
{
	int nr = __builtin_popcount(classes), place = 0;
	uint32_t chosen = 0;
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++)
		if (classes & CALIBRATE_BIT(class) &&
		    (place++ + round * RESTS_A_ROUND) % nr < RESTS_A_ROUND)
			chosen |= CALIBRATE_BIT(class);
	return chosen;
}

int estimates__rest(struct estimates *estimates, const struct bench *bench, int round)
{
	struct bench rested = *bench;
	struct noise ignored = { 0 };
	int rests;

	if (round)
		rested.classes = classes_in_turn(bench->classes, round);
	rests = __builtin_popcount(rested.classes);
	if (rests < RESTS_A_ROUND)
		loop__rest((uint64_t)(RESTS_A_ROUND - rests) * CALIBRATE_REST_NS);
	return estimates__measure(estimates, &rested, CACHES_RESTED, &ignored);
}

void estimates__see_range(const struct estimates *estimates, uint32_t classes,
			  const struct xp_cost *costs, struct cost_range *range)
{
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		const struct estimates *e = &estimates[class];

		if (!(classes & CALIBRATE_BIT(class)))
			continue;
		cost_range__see(range, e->call_high_ns, costs[class].call_ns);
		cost_range__see(range, estimate__lowest(&e->call[CACHES_WARM]), costs[class].call_ns);
		if (class >= XP_COST_CALLS)
			continue;
		cost_range__see(range, e->inner_high_ns, costs[class].inner_ns);
		cost_range__see(range, estimate__lowest(&e->inner[CACHES_WARM]), costs[class].inner_ns);
	}
}

unsigned int crowd__see_range(const struct bench *bench, struct cost_range *range)
{
	struct bench_cost alone, crowded;
	unsigned int most = 1, threads;
	uint8_t class;

	for (class = 0; crowd__size() > 1 && class < XP_COST_CLASSES; class++) {
		if (!(bench->classes & CALIBRATE_BIT(class)) || bench__crowded(bench, class, &alone, &crowded, &threads))
			continue;
		if (threads > most)
			most = threads;
		cost_range__see(range, crowded.call_ns, alone.call_ns);
		if (class < XP_COST_CALLS)
			cost_range__see(range, crowded.inner_ns, alone.inner_ns);
	}
	/* That they are cheaper says that others were away at that moment. */
	range->lowest = 1;
	if (range->highest > CROWD_DEARER * crowd__size())
		range->highest = CROWD_DEARER * crowd__size();
	return most;
}
