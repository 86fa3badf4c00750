// SPDX-License-Identifier: GPL-2.0
/*
 * A point that stays as what made it dear goes: it is judged once that is gone, however long it takes.
 * The mechanism is one of the test's own, and the traced process is the test itself.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "mechanism/mechanisms_state.h"
#include "mechanism/shared_view.h"
#include "recording/spending.h"

/* Beyond ten times the budget, whatever else runs. */
#define BURN_NS		60000000ULL
#define BUDGET_PPM	50000

static struct xp_calls calls;
static struct xp_total totals;
static struct xp_buckets buckets;
static struct xp_cost costs[XP_COST_CLASSES];
static bool can_relieve = true, relieving, is_repriced;
static uint64_t beside_ns;
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

static bool reprice(struct mechanism *mechanism)
{
	bool was = is_repriced;

	is_repriced = false;
	return was;
}

static uint64_t tell_beside_ns(const struct mechanism *mechanism)
{
	return beside_ns;
}

static void burn(void)
{
	struct timespec now;
	uint64_t begin_ns = 0, ns;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
		begin_ns = begin_ns ? begin_ns : ns;
	} while (ns < begin_ns + BURN_NS);
}

/* Until the next look the probes take most of the process's time. */
static bool look_after(struct spending *spending, bool dear)
{
	burn();
	if (dear)
		calls.cost_ns += BURN_NS;
	return spending__look(spending);
}

static const struct mechanism_ops ops = {
	.relieve = relieve, .is_relieving = is_relieving, .drop = drop, .reprice = reprice,
	.beside_ns = tell_beside_ns,
};

static struct mechanism mechanism = {
	.ops = &ops, .nr = 1, .beside = "naps",
	.figures = { .calls = &calls, .totals = &totals, .buckets = &buckets,
		     .costs = costs, .slots = 1, .functions = 1 },
};

static uint32_t own_ids[1], dropped_ids[1], kept_ids[1];
static struct mechanism_part part = {
	.mechanism = &mechanism, .points = own_ids, .dropped = dropped_ids, .kept = kept_ids,
};
static struct mechanism_place place;
static struct point_figures point = { &mechanism.figures, 0 };
static struct shared_view view;
static struct mechanisms mechanisms = {
	.view = &view, .nr = 1, .points = &point, .parts = &part, .nr_parts = 1, .places = &place,
};

static struct spending *begin(void)
{
	const struct spending_opts opts = { .mechanisms = &mechanisms, .budget_ppm = BUDGET_PPM };

	mechanisms.pid = getpid();
	shared_view__init(&view, getpid(), KVIEW__WIRE__FILTER__FILTER_IN);
	can_relieve = true;
	relieving = false;
	relieved = drops = 0;
	calls.cost_ns = beside_ns = 0;
	return spending__new(&opts);
}

static void relief(void)
{
	struct spending *spending = begin();

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
}

/* Looks come twenty times a second. */
static void endless_relief(void)
{
	struct spending *spending = begin();
	bool goes_on = look_after(spending, true);

	for (int i = 0; i < 20 + 40; i++)
		goes_on = goes_on && spending__look(spending);
	check(goes_on && drops == 1, "for three seconds it is not judged", 1);
	check(!look_after(spending, true), "and then as any other, also where what is given up is met still", 1);
	spending__free(spending);
}

static void other_price(void)
{
	struct spending *spending = begin();

	can_relieve = false;
	is_repriced = true;
	check(look_after(spending, true), "what was counted before a new price is not judged", 1);
	check(!look_after(spending, true), "what comes after it is", 1);
	spending__free(spending);
}

static void beside(void)
{
	struct spending *spending = begin();
	Kview__Wire__HistogramDelta delta = KVIEW__WIRE__HISTOGRAM_DELTA__INIT;
	bool goes_on;

	can_relieve = false;
	burn();
	beside_ns = BURN_NS;
	goes_on = spending__look(spending);
	check(!goes_on && strstr(spending__message(spending), "for its naps alone, whatever is chosen, and the budget is 5 %"),
	      spending__message(spending), !goes_on);
	spending__tell(spending, &delta);
	check(delta.probes_cost_ns == BURN_NS, "what is no point's is part of what the probes cost", delta.probes_cost_ns);
	spending__free(spending);
}

/* A mechanism whose probes forked children inherit, and one whose points none of them can meet. */
static struct mechanism_children children;
static unsigned int system_drops;

static struct mechanism_children tell_children(const struct mechanism *mechanism)
{
	return children;
}

static int drop_system(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
		       const uint32_t *kept, size_t nr_kept, struct error *error)
{
	system_drops++;
	return 0;
}

/* A mechanism of one function, beside another of one. */
struct pair {
	struct xp_calls own[2];
	struct mechanism both[2];
	uint32_t ids[2], dropped[2], kept[2];
	struct mechanism_part parts[2];
	struct mechanism_place places[2];
	struct point_figures points[2];
	struct mechanisms two;
	struct spending *spending;
};

static void pair__begin(struct pair *pair, const struct mechanism_ops *first, const struct mechanism_ops *second)
{
	const struct spending_opts opts = { .mechanisms = &pair->two, .budget_ppm = BUDGET_PPM };
	uint32_t i;

	*pair = (struct pair){ .two = { .view = &view, .pid = getpid(), .nr = 2, .points = pair->points, .parts = pair->parts,
					.nr_parts = 2, .places = pair->places } };
	for (i = 0; i < 2; i++) {
		pair->both[i] = mechanism;
		pair->both[i].ops = i ? second : first;
		pair->both[i].figures.calls = &pair->own[i];
		pair->ids[i] = i;
		pair->parts[i] = (struct mechanism_part){
			.mechanism = &pair->both[i], .points = &pair->ids[i],
			.dropped = &pair->dropped[i], .kept = &pair->kept[i] };
		pair->places[i] = (struct mechanism_place){ i, 0 };
		pair->points[i] = (struct point_figures){ &pair->both[i].figures, 0 };
	}
	drops = system_drops = 0;
	pair->spending = spending__new(&opts);
}

/* What children paid is nothing that a point costs which they can't meet, also where that alone was met by the process. */
static void children_of_one(uint64_t system_ns, const char *what)
{
	static const struct mechanism_ops with = { .drop = drop, .children = tell_children };
	static const struct mechanism_ops without = { .drop = drop_system };
	struct pair pair;
	bool goes_on;

	children = (struct mechanism_children){ 0 };
	pair__begin(&pair, &without, &with);
	burn();
	pair.own[0].cost_ns = system_ns;
	children = (struct mechanism_children){ 1, 10 * BURN_NS };
	goes_on = spending__look(pair.spending);
	check(goes_on && drops == 1 && !system_drops, what, system_drops);
	burn();
	children.cpu_ns *= 2;
	check(spending__look(pair.spending) && !system_drops, "nor once those are off that they meet", system_drops);
	spending__free(pair.spending);
}

/* What one mechanism costs beside its points takes these off, whatever they cost themselves; the other's are measured on. */
static void beside_of_one(void)
{
	static const struct mechanism_ops functions = { .drop = drop, .relieve = relieve };
	static const struct mechanism_ops system_calls = { .drop = drop_system, .relieve = relieve, .beside_ns = tell_beside_ns };
	Kview__Wire__FunctionDelta told = KVIEW__WIRE__FUNCTION_DELTA__INIT;
	struct pair pair;
	bool goes_on;

	can_relieve = true;
	beside_ns = 0;
	pair__begin(&pair, &functions, &system_calls);
	burn();
	beside_ns = BURN_NS;
	pair.own[0].cost_ns = 1000;
	goes_on = spending__look(pair.spending);
	check(goes_on && system_drops == 1 && !drops, "what one mechanism costs beside its points ends nothing of another's", drops);
	told.function_id = 1;
	spending__tell_function(pair.spending, &told);
	check(told.probes_off_ns && strstr(told.probes_off, "For the process's naps alone, probes of this kind cost"),
	      told.probes_off, 1);
	burn();
	check(spending__look(pair.spending) && !drops, "nor later", drops);
	spending__free(pair.spending);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	relief();
	endless_relief();
	other_price();
	beside();
	children_of_one(1000, "what forked children pay is not charged to points that they can't meet");
	children_of_one(0, "nor where the process met none");
	beside_of_one();
	return failed;
}
