// SPDX-License-Identifier: GPL-2.0
/* What a hit costs the process. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mechanism/cost/call_cost.h"
#include "mechanism/trap/calibration_code.h"
#include "mechanism/trap/usdt_state.h"

struct trial {
	struct usdt *usdt;
	struct links *links;
};

static void call_static(void)
{
	calibration_code__call(calibration_static, 1);
}

static int trial__attach(void *context)
{
	struct trial *trial = context;
	struct place place = { .path = "/proc/self/exe", .offset = calibration_code__offset(calibration_static),
			       .cookie = trial->usdt->base.nr };
	const struct places places = { .all = &place, .nr = 1 };
	struct error ignored = { 0 };

	trial->links = links__new(trial->usdt->links_kind, trial->usdt->held, 0, &ignored);
	errno = ENOMEM;
	return trial->links && !links__add(trial->links, trial->usdt->skel->progs.usdt_hit, getpid(), &places, false, &ignored) ?
		0 : -1;
}

static void trial__detach(void *context)
{
	struct trial *trial = context;

	links__free(trial->links);
	trial->links = NULL;
}

void usdt__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct usdt *usdt = usdt__of(mechanism);
	struct trial trial = { .usdt = usdt };
	struct xp_cost *cost = &usdt->costs[0];
	uint64_t before, made;

	usdt__aim(usdt, getpid());
	__atomic_store_n(&usdt->skel->bss->active, XP_ACTIVE, __ATOMIC_SEQ_CST);
	before = figures__calls(&mechanism->figures, mechanism->nr).calls;
	if (call_cost__measure_of(call_static, cost, &made, trial__attach, trial__detach, &trial)) {
		snprintf(usdt->note, sizeof(usdt->note), "What a hit of a static probe costs could not be measured: %s.", strerror(errno));
		call_cost__assume(cost, usdt->note, sizeof(usdt->note));
	} else if (figures__calls(&mechanism->figures, mechanism->nr).calls - before < made) {
		snprintf(usdt->note, sizeof(usdt->note), "What a hit of a static probe costs is not known: the agent's own hits were not seen.");
		call_cost__assume(cost, usdt->note, sizeof(usdt->note));
	} else {
		usdt->skel->bss->most_ns = cost->inner_spread_ns;
	}
	if (trial.links)
		trial__detach(&trial);
	/* A hit takes no time that this would make uncertain. */
	cost->inner_spread_ns = 0;
	__atomic_store_n(&usdt->skel->bss->active, XP_INACTIVE, __ATOMIC_SEQ_CST);
	usdt__aim(usdt, 0);
}
