// SPDX-License-Identifier: GPL-2.0
/* What the probes cost: measured, charged, and how sure that is. */
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/cost/call_cost.h"
#include "mechanism/trap/calibrate_unmatched.h"
#include "mechanism/trap/trap_state.h"
#include "mechanism/trap/waits_note.h"

/* The classes of probes that the recording uses. */
static uint32_t trap__classes(const struct trap *trap)
{
	uint32_t classes = 0;
	size_t i;

	for (i = 0; i < trap->base.nr; i++) {
		const struct fn_function *function = probes__functions(trap->probes)[i].function;

		classes |= calibrate__classes_of(function);
		/* Elsewhere calls that are entered within others end within them. */
		if (trap->switches_stacks)
			classes |= calibrate__parts_of(function);
	}
	return classes;
}

void trap__refresh(struct mechanism *mechanism)
{
	struct trap *trap = trap__of(mechanism);
	uint64_t unseen = trap->view ? xprobe_view__children_unseen(trap->view) : 0;
	int length = snprintf(trap->note, sizeof(trap->note), "%s", trap->calibration.note);

	if (trap__of_group(trap) && xprobe__counters(trap->xprobe).others_probes) {
		struct xp_counters counters = xprobe__counters(trap->xprobe);

		snprintf(trap->note + length, sizeof(trap->note) - length,
			 "%sProcesses outside the %s run the same code: they came to probes %llu times, which cost them up to %.3g ms in all, and that is part of what the budget holds.",
			 length ? " " : "", trap->tree ? "process tree" : "cgroup", counters.others_probes, counters.others_ns / 1e6);
	}
	if (unseen)
		snprintf(trap->note + length, sizeof(trap->note) - length,
			 "%s%llu forked %s could not come into the view that tells what becomes of forked children: what %s forked in turn may have kept the probes, and CPU time may be missing in that of the children.",
			 length ? " " : "", (unsigned long long)unseen, unseen == 1 ? "child" : "children",
			 unseen == 1 ? "it" : "they");
}

/* Without costs the recording is as good as probes get without correction, and the budget limits it all the same; the note tells. */
static void trap__assume(struct trap *trap, const char *why)
{
	struct calibration *calibration = &trap->calibration;
	struct xp_cost cost;
	uint32_t class;

	snprintf(calibration->note, sizeof(calibration->note), "%s", why);
	call_cost__assume(&cost, calibration->note, sizeof(calibration->note));
	for (class = 0; class < XP_COST_CLASSES; class++) {
		calibration->costs[class] = cost;
		xprobe__set_cost(trap->xprobe, class, cost);
	}
}

void trap__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct trap *trap = trap__of(mechanism);
	struct error failure = { 0 };

	if (calibrate__probes(trap->xprobe, trap__classes(trap), &trap->calibration, &failure)) {
		log__line("%s", failure.message);
		trap__assume(trap, failure.message);
		error__free(&failure);
	}
	/* With conditions a call costs somewhat more than others. */
	if (trap->conditions)
		calibrate__unmatched(trap->xprobe, trap__classes(trap), &trap->calibration);
	else if (trap->calibration.measured)
		calibration__learn(latest, &trap->calibration);
	waits_note__tell(trap->waits_note, sizeof(trap->waits_note), xprobe__ways_in(trap->xprobe),
			 mechanism->figures.waits_may_be_its_own);
	trap->missed_before = xprobe__missed_runs(trap->xprobe);
	trap__refresh(mechanism);
}

static uint64_t trap__threads(const struct trap *trap)
{
	return trap->threads ?: xprobe__counters(trap->xprobe).threads;
}

/* Before it is known that there are many, one thread's costs are charged. */
bool trap__reprice(struct mechanism *mechanism)
{
	struct trap *trap = trap__of(mechanism);

	if (trap->charges_crowd || !trap->calibration.measured || trap__threads(trap) < 2)
		return false;
	trap->charges_crowd = true;
	calibration__charge_crowd(&trap->calibration, trap->xprobe);
	return true;
}

uint64_t trap__beside_ns(const struct mechanism *mechanism)
{
	const struct trap *trap = trap__of(mechanism);
	struct xp_switches switches = xprobe__switches(trap->xprobe);

	return calibration__beside_ns(&trap->calibration, &switches, trap__threads(trap));
}

static void trap__note_crowd(struct trap *trap)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t at_once = trap__threads(trap) < (uint64_t)cpus ? trap__threads(trap) : (uint64_t)cpus;

	if (trap->calibration.measured && at_once > trap->calibration.crowd_threads && !trap->calibration.note[0])
		snprintf(trap->calibration.note, sizeof(trap->calibration.note),
			 "What the probes cost was measured by %u thread%s at once at most, and up to %llu may have met them: they may have cost more.",
			 trap->calibration.crowd_threads, trap->calibration.crowd_threads == 1 ? "" : "s",
			 (unsigned long long)at_once);
}

void trap__recheck(struct mechanism *mechanism)
{
	struct trap *trap = trap__of(mechanism);

	calibrate__check(trap->xprobe, trap__classes(trap), &trap->calibration);
	trap__note_crowd(trap);
	trap__refresh(mechanism);
}

uint64_t trap__uncertain_ns(const struct mechanism *mechanism, uint64_t removed_ns,
			    uint64_t uncertain_ns)
{
	const struct trap *trap = trap__of(mechanism);

	return calibration__uncertain_ns(&trap->calibration, removed_ns, uncertain_ns,
					 trap__threads(trap) > 1);
}
