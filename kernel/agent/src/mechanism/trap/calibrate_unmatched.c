// SPDX-License-Identifier: GPL-2.0
#include "base/loop.h"
#include "mechanism/trap/calibrate_bench.h"
#include "mechanism/trap/calibrate_rounds.h"
#include "mechanism/trap/calibrate_unmatched.h"
#include "mechanism/trap/estimate.h"

#define ROUNDS		5
#define PAUSE_US	15000
#define OF_CALLS	((1U << XP_COST_CALLS) - 1)
/* As for the other costs: what is not noticed when they are measured again. */
#define CHANGED		0.25
#define CHANGED_NS	100

/* The entry is something between nothing and all of it. */
static struct xp_cost cost__unknown(const struct xp_cost *call)
{
	return (struct xp_cost){
		.inner_ns = call->inner_ns / 2,
		.call_ns = call->call_ns / 2,
		.call_spread_ns = call->call_ns / 2 + call->call_spread_ns,
		.likely_ns = call->likely_ns / 2,
	};
}

/* How much of it is within the call is not measured: as much as of other calls. */
static struct xp_cost cost__of(const struct estimate *by_caches, const struct xp_cost *call)
{
	double warm_ns = estimate__value(&by_caches[CACHES_WARM]), cold_ns = estimate__value(&by_caches[CACHES_COLD]);
	double spread_ns = CHANGED * (warm_ns > 0 ? warm_ns : 0) + CHANGED_NS;

	if (warm_ns < 1)
		warm_ns = 1;
	if (cold_ns - warm_ns + estimate__error(&by_caches[CACHES_WARM]) > spread_ns)
		spread_ns = cold_ns - warm_ns + estimate__error(&by_caches[CACHES_WARM]);
	return (struct xp_cost){
		.inner_ns = call->call_ns ? warm_ns * call->inner_ns / call->call_ns : 0,
		.call_ns = warm_ns,
		.call_spread_ns = spread_ns,
		.likely_ns = warm_ns + spread_ns / 2,
	};
}

static int measure(struct xprobe *xprobe, uint32_t classes, struct estimates *estimates, uint32_t *measured)
{
	struct error ignored = { 0 };
	struct noise noise = { 0 };
	struct bench bench;
	int i, failed = 0;

	if (bench__open(&bench, xprobe, classes, false, &ignored)) {
		error__free(&ignored);
		return -1;
	}
	bench.unmatched = true;
	for (i = 0; i < ROUNDS && !failed; i++) {
		loop__rest(PAUSE_US * 1000ULL);
		failed = estimates__measure(estimates, &bench, CACHES_WARM, &noise) ||
			 estimates__measure(estimates, &bench, CACHES_COLD, &noise);
	}
	*measured = bench.classes;
	bench__close(&bench);
	return failed ? -1 : 0;
}

void calibrate__unmatched(struct xprobe *xprobe, uint32_t classes, const struct calibration *calibration)
{
	struct estimates estimates[XP_COST_CLASSES] = { 0 };
	struct error ignored = { 0 };
	uint32_t measured = 0;
	uint8_t class;
	bool failed;

	classes &= OF_CALLS & calibration->measured;
	failed = !classes || xprobe__set_spare_conditions(xprobe, false, &ignored) ||
		 measure(xprobe, classes, estimates, &measured);
	xprobe__set_spare_conditions(xprobe, true, &ignored);
	error__free(&ignored);
	for (class = 0; class < XP_COST_CALLS; class++)
		xprobe__set_unmatched_cost(xprobe, class, !failed && measured & CALIBRATE_BIT(class) ?
					   cost__of(estimates[class].call, &calibration->costs[class]) : cost__unknown(&calibration->costs[class]));
}
