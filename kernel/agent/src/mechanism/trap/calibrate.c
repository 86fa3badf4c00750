// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "base/loop.h"
#include "mechanism/trap/calibrate.h"
#include "mechanism/trap/calibrate_bench.h"
#include "mechanism/trap/calibrate_rounds.h"
#include "mechanism/trap/estimate.h"

#define CHECK_ROUNDS	4
/*
 * By how much a CPU that others keep awake during the calibration is better than one that sleeps deeply in the recording, and the
 * child, which does nothing meanwhile, than a program.
 */
#define RESTED_MORE	2
#define BUDGET_NS	600000000ULL
/* Several times what the figures of a machine at rest wander by within minutes. */
#define CHANGED		0.25
#define CHANGED_NS	100

uint32_t calibrate__dearest_of(const struct fn_function *function)
{
	return XP_COST_CALL(xprobe__entry_class(function), xprobe__exit_class(function));
}

/* The classes of sites at which a call ends or goes on. */
static uint32_t classes_of_sites(enum xp_entry_class entry, const struct fn_site *sites, size_t nr)
{
	uint32_t classes = 0;
	size_t i;

	for (i = 0; i < nr; i++) {
		enum fn_site_kind kind = sites[i].kind;
		enum xp_exit_class exit = xprobe__site_class(&sites[i]);

		classes |= CALIBRATE_BIT(XP_COST_CALL(entry, exit));
		if (kind == FN_SITE_JUMP_COND || kind == FN_SITE_JUMP_REG || sites[i].goes_on >= 0)
			classes |= CALIBRATE_BIT(XP_COST_PASS(exit));
	}
	return classes;
}

/* What a call goes on in is passed by others as well. */
static uint32_t classes_of_continuation(enum xp_entry_class entry,
					const struct fn_continuation *to)
{
	uint32_t classes = classes_of_sites(entry, to->sites, to->nr_sites);
	size_t i;

	for (i = 0; i < to->nr_sites; i++)
		classes |= CALIBRATE_BIT(XP_COST_PASS(xprobe__site_class(&to->sites[i])));
	return classes;
}

uint32_t calibrate__classes_of(const struct fn_function *function)
{
	enum xp_entry_class entry = xprobe__entry_class(function);
	uint32_t classes = CALIBRATE_BIT(calibrate__dearest_of(function));
	size_t i;

	if (function->exit_kind != FN_EXIT_SITES)
		return classes;
	classes |= classes_of_sites(entry, function->sites, function->nr_sites);
	for (i = 0; i < function->nr_goes_on; i++)
		if (function->goes_on[i].followed)
			classes |= classes_of_continuation(entry, &function->goes_on[i]);
	return classes;
}

uint32_t calibrate__parts_of(const struct fn_function *function)
{
	bool emulated = xprobe__entry_class(function) == XP_ENTRY_EMULATED;
	uint32_t classes = CALIBRATE_BIT(XP_COST_PASS(emulated ? XP_EXIT_EMULATED : XP_EXIT_STEPPED));
	size_t i;

	for (i = 0; function->exit_kind == FN_EXIT_SITES && i < function->nr_sites; i++)
		classes |= CALIBRATE_BIT(XP_COST_PASS(xprobe__site_class(&function->sites[i])));
	return classes;
}

static bool estimates__are_settled(const struct estimates *e)
{
	return estimate__settled(&e->inner[CACHES_WARM]) &&
	       estimate__settled(&e->call[CACHES_WARM]) &&
	       estimate__settled(&e->inner[CACHES_COLD]) &&
	       estimate__settled(&e->call[CACHES_COLD]);
}

/* The classes whose costs are sure by now. */
static uint32_t estimates__settled(const struct estimates *estimates, uint32_t classes)
{
	uint32_t settled = 0;
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++)
		if (classes & CALIBRATE_BIT(class) && estimates__are_settled(&estimates[class]))
			settled |= CALIBRATE_BIT(class);
	return settled;
}

/*
 * By how much more than the warm value a cost may be where no neighbour disturbs, and that value be
 * wrong; at least as much as it may change without calibrate__check() telling.
 */
static double spread_at_rest(const struct estimate *by_caches)
{
	double warm_ns = estimate__value(&by_caches[CACHES_WARM]);
	double cold_ns = estimate__value(&by_caches[CACHES_COLD]) +
			 estimate__error(&by_caches[CACHES_COLD]);
	double spread_ns = estimate__error(&by_caches[CACHES_WARM]) +
			   (cold_ns > warm_ns ? cold_ns - warm_ns : 0);
	double unnoticed_ns = CHANGED * warm_ns + CHANGED_NS;

	return spread_ns > unnoticed_ns ? spread_ns : unnoticed_ns;
}

static double spread_of(const struct estimate *by_caches, const struct cost_range *range)
{
	double rest_ns = spread_at_rest(by_caches);
	double disturbed_ns = cost_range__spread(range, estimate__value(&by_caches[CACHES_WARM]),
						 estimate__value(&by_caches[CACHES_COLD]),
						 estimate__highest(&by_caches[CACHES_COLD]));

	return disturbed_ns > rest_ns ? disturbed_ns : rest_ns;
}

static struct xp_cost estimates__cost(const struct estimates *e)
{
	double inner_ns = estimate__value(&e->inner[CACHES_WARM]);
	double call_ns = estimate__value(&e->call[CACHES_WARM]);

	/* Next to nothing on some machine, and still: not known is another thing. */
	if (inner_ns < 1)
		inner_ns = 1;
	if (call_ns < inner_ns)
		call_ns = inner_ns;
	return (struct xp_cost){
		.inner_ns = inner_ns,
		.call_ns = call_ns,
		.likely_ns = call_ns + spread_at_rest(e->call) / 2,
	};
}

static double more_than(double ns, double before_ns)
{
	return ns > before_ns ? ns - before_ns : 0;
}

/* By how much more than that a rested probe may cost. */
static double rested_beyond(const struct estimate *by_caches, double most_ns)
{
	return more_than(RESTED_MORE * estimate__second_highest(&by_caches[CACHES_RESTED]), most_ns);
}

static void calibration__set_spreads(struct calibration *calibration,
				     const struct estimates *estimates)
{
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		const struct estimates *e = &estimates[class];
		struct xp_cost *cost = &calibration->costs[class];

		if (!(calibration->measured & CALIBRATE_BIT(class)))
			continue;
		cost->inner_spread_ns = spread_of(e->inner, &calibration->range);
		cost->call_spread_ns = spread_of(e->call, &calibration->range);
		cost->rested_inner_ns = rested_beyond(e->inner, cost->inner_ns + cost->inner_spread_ns);
		cost->rested_call_ns = rested_beyond(e->call, cost->call_ns + cost->call_spread_ns);
		cost->rested_likely_ns = more_than(estimate__middle(&e->call[CACHES_RESTED]), cost->likely_ns);
	}
}

static double range_of(const struct estimate *e)
{
	double lowest = estimate__lowest(e);

	return lowest > 0 ? estimate__highest(e) / lowest : 0;
}

static void calibration__explain(struct calibration *calibration,
				 const struct estimates *estimates, uint32_t unsettled)
{
	const struct estimate *worst = NULL;
	uint8_t class;
	int caches;

	for (class = 0; class < XP_COST_CLASSES; class++)
		for (caches = CACHES_WARM; caches <= CACHES_COLD; caches++) {
			const struct estimate *e = &estimates[class].call[caches];

			if (unsettled & CALIBRATE_BIT(class) &&
			    (!worst || range_of(e) > range_of(worst)))
				worst = e;
		}
	if (worst && worst->nr < 2)
		snprintf(calibration->note, sizeof(calibration->note),
			 "What the probes cost was measured only once, %.2f µs a call, as other work disturbs this host; figures of functions that take only some µs are rough.",
			 estimate__value(worst) / 1e3);
	else if (worst)
		snprintf(calibration->note, sizeof(calibration->note),
			 "What the probes cost did not settle: between %.2f and %.2f µs a call in %zu rounds, as other work disturbs this host; figures of functions that take only some µs are rough.",
			 estimate__lowest(worst) / 1e3, estimate__highest(worst) / 1e3, worst->nr);
}

static void calibration__apply(const struct calibration *calibration, struct xprobe *xprobe)
{
	uint32_t class;

	for (class = 0; class < XP_COST_CLASSES; class++)
		xprobe__set_cost(xprobe, class, calibration->costs[class]);
	xprobe__set_step_page_cost(xprobe, calibration->step_page);
	xprobe__set_first_call_cost(xprobe, calibration->first_call_ns);
}

/* What the first call cost more than later ones.  Seen once, so that it may be all of it that is wrong. */
static struct xp_once step_page__cost(const struct bench *bench, const struct estimates *estimates)
{
	uint8_t class = bench->first_class;
	double more_ns;

	if (class == XP_COST_CLASSES)
		return (struct xp_once){ 0 };
	more_ns = bench->first_ns - bench->plain_ns[class][CACHES_WARM] -
		  estimate__value(&estimates[class].call[CACHES_WARM]);
	if (more_ns < 0)
		more_ns = 0;
	return (struct xp_once){ .ns = more_ns, .spread_ns = more_ns };
}

/*
 * How much more a call costs whose probes never ran before, with nothing of theirs in a cache.
 * Of the thread's first one what it measured is known: the rest is the making of the thread's state.
 * The second highest, where there are some: the highest may have been interrupted.
 */
static double first_call__more(const struct bench *bench, const struct estimates *estimates)
{
	double more_ns[XP_COST_CLASSES + 1] = { bench->first_inner_ns };
	size_t nr = 1;
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		if (!bench->once_ns[class])
			continue;
		more_ns[nr++] = bench->once_ns[class] - bench->plain_ns[class][CACHES_WARM] -
				estimate__value(&estimates[class].call[CACHES_WARM]);
	}
	/* It sorts them. */
	median(more_ns, nr);
	return more_ns[nr > 2 ? nr - 2 : nr - 1];
}

/* Where one of them is not known it is 0, and nothing is charged. */
static void calibration__set_beside(struct calibration *calibration, const struct bench *bench)
{
	double call_ns = more_than(bench->calling_thread_ns, bench->thread_ns) / (BESIDE_CALLS - 1);

	calibration->switch_ns[XP_SWITCH_PLAIN] = more_than(bench->switch_ns, bench->bare_switch_ns);
	calibration->switch_ns[XP_SWITCH_FOLLOWED] =
		more_than(bench->followed_switch_ns, bench->bare_switch_ns);
	calibration->thread_ns = more_than(bench->thread_ns, bench->bare_thread_ns + call_ns);
}

/* The first ones and some later ones, as a neighbour may be there for a while: the lowest counts. */
static bool is_beside_round(int round)
{
	return round < 5 || !(round % 3);
}

int calibrate__probes(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration,
		      struct error *error)
{
	struct estimates estimates[XP_COST_CLASSES] = { 0 };
	uint64_t start_ns = clock__now_ns();
	struct bench bench;
	int rounds = 0;
	uint8_t class;

	*calibration = (struct calibration){ .range = COST_RANGE_NONE,
					     .range_until_check = COST_RANGE_NONE,
					     .crowd = COST_RANGE_NONE };
	calibration__apply(calibration, xprobe);
	if (bench__open(&bench, xprobe, classes, true, error))
		return -1;
	do {
		if (estimates__rest(estimates, &bench, rounds) ||
		    estimates__measure(estimates, &bench, CACHES_WARM, &calibration->noise) ||
		    estimates__measure(estimates, &bench, CACHES_COLD, &calibration->noise) ||
		    (is_beside_round(rounds++) && bench__beside_calls(&bench))) {
			bench__close(&bench);
			return bench__unseen(error);
		}
		calibration->settled = estimates__settled(estimates, bench.classes);
	} while (calibration->settled != bench.classes &&
		 clock__now_ns() - start_ns < BUDGET_NS);

	calibration->measured = bench.classes;
	for (class = 0; class < XP_COST_CLASSES; class++)
		if (bench.classes & CALIBRATE_BIT(class))
			calibration->costs[class] = estimates__cost(&estimates[class]);
	calibration->crowd_threads = crowd__see_range(&bench, &calibration->crowd);
	bench__beside_again(&bench);
	calibration__set_beside(calibration, &bench);
	bench__close(&bench);
	estimates__see_range(estimates, bench.classes, calibration->costs, &calibration->range);
	calibration->range_until_check = calibration->range;
	calibration__set_spreads(calibration, estimates);
	calibration->step_page = step_page__cost(&bench, estimates);
	calibration->first_call_ns = first_call__more(&bench, estimates);
	calibration__split_all(calibration);
	calibration__explain(calibration, estimates, bench.classes & ~calibration->settled);
	calibration__apply(calibration, xprobe);
	return 0;
}

static bool is_changed(double ns, double before_ns)
{
	double change = ns > before_ns ? ns - before_ns : before_ns - ns;

	return change > CHANGED * before_ns + CHANGED_NS;
}

/* Which of the classes cost something else by now. */
static void calibration__compare(struct calibration *calibration, uint32_t classes,
				 const struct estimates *estimates)
{
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		const struct xp_cost *cost = &calibration->costs[class];
		double call_ns = estimate__lowest(&estimates[class].call[CACHES_WARM]);
		double inner_ns = estimate__lowest(&estimates[class].inner[CACHES_WARM]);

		if (!(classes & CALIBRATE_BIT(class)) ||
		    (!is_changed(call_ns, cost->call_ns) && !is_changed(inner_ns, cost->inner_ns)))
			continue;
		calibration->settled &= ~CALIBRATE_BIT(class);
		snprintf(calibration->note, sizeof(calibration->note),
			 "What the probes cost changed during the recording, from %.2f to %.2f µs a call: figures of functions that take only some µs, or that make many probed calls, are rough.",
			 cost->call_ns / 1e3, call_ns / 1e3);
	}
}

void calibrate__check(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration)
{
	struct estimates estimates[XP_COST_CLASSES] = { 0 };
	const struct calibration nothing = { 0 };
	struct error ignored = { 0 };
	struct bench bench;
	int i;

	classes &= calibration->measured;
	calibration__apply(&nothing, xprobe);
	if (!classes || bench__open(&bench, xprobe, classes, false, &ignored))
		return;
	for (i = 0; i < CHECK_ROUNDS; i++) {
		loop__rest(ROUNDS_APART_US * 1000ULL);
		if (estimates__measure(estimates, &bench, CACHES_WARM, &calibration->noise))
			break;
	}
	bench__close(&bench);
	if (i < CHECK_ROUNDS)
		return;
	estimates__see_range(estimates, bench.classes, calibration->costs, &calibration->range);
	calibration__compare(calibration, bench.classes & calibration->settled, estimates);
}
