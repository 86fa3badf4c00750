// SPDX-License-Identifier: GPL-2.0
/* What a hit costs: who is measured, and who is not. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/cost/call_cost.h"
#include "mechanism/shared_view.h"
#include "mechanism/tracepoint/state.h"

/* A way to come to a point, by the agent's own system call. */
struct trial {
	struct tracepoints *t;
	bool is_of_system_calls;
	struct process_view view;	/* the agent's own, where they are measured in one */
	struct hit_link link;
};

static int trial__link(struct trial *trial, struct hit_link *link, uint32_t mark)
{
	const char *name = "sys_enter";

	if (!trial->t->view)
		return hit_link__raw(link, trial->t, name, mark);
	*link = NO_LINK;
	link->set = kview_view__add_tracepoints(trial->view.view, &name, 1, NULL);
	return link->set && !hit_link__program(link, trial->t, mark) && !kview_set__add_prog(link->set, link->program, 0, NULL) ? 0 : -1;
}

static void trial__unlink(struct hit_link *link)
{
	uint64_t missed = 0;

	kview_set__free(link->set);
	hit_link__close(link, &missed);
}

static int trial__attach(void *context)
{
	struct trial *trial = context;
	uint32_t mark = trial->t->base.nr | (trial->is_of_system_calls ? TP_SYSTEM_CALL : 0);

	return trial__link(trial, &trial->link, mark);
}

static void trial__detach(void *context)
{
	trial__unlink(&((struct trial *)context)->link);
}

static int trial__begin(struct trial *trial)
{
	if (!trial->t->view)
		return 0;
	return process_view__make(&trial->view, trial->t->view->module, "kview record", NULL) ||
	       process_view__enter_self(&trial->view) ? -1 : 0;
}

/*
 * Of a hit anywhere else the way into a system call is no part.  So it is as long all the time, by a program for nobody, and
 * what comes to that is the price.
 */
static int trial__measure(struct tracepoints *t, bool is_of_system_calls, struct xp_cost *cost, uint64_t *made)
{
	struct trial trial = { .t = t, .is_of_system_calls = is_of_system_calls, .link = NO_LINK };
	struct hit_link longer = NO_LINK;
	int result = -1;

	if (!trial__begin(&trial) && (is_of_system_calls || !trial__link(&trial, &longer, TP_NOBODY)))
		result = call_cost__measure(cost, made, trial__attach, trial__detach, &trial);
	trial__unlink(&longer);
	trial__unlink(&trial.link);
	process_view__close(&trial.view);
	return result;
}

bool tracepoints__have(const struct tracepoints *t, bool is_of_system_calls)
{
	size_t i;

	for (i = 0; i < t->base.nr; i++)
		if (t->points[i].is_of_system_calls == is_of_system_calls)
			return true;
	return false;
}

static void price(struct tracepoints *t, bool is_of_system_calls)
{
	struct xp_cost *cost = &t->costs[is_of_system_calls];
	uint64_t before = figures__calls(&t->base.figures, t->base.nr).calls, made;

	if (trial__measure(t, is_of_system_calls, cost, &made)) {
		snprintf(t->price_note, sizeof(t->price_note), "What a hit of a tracepoint costs could not be measured: %s.", strerror(errno));
		call_cost__assume(cost, t->price_note, sizeof(t->price_note));
	} else if (figures__calls(&t->base.figures, t->base.nr).calls - before < made) {
		snprintf(t->price_note, sizeof(t->price_note), "What a hit of a tracepoint costs is not known: the agent's own hits were not seen.");
		call_cost__assume(cost, t->price_note, sizeof(t->price_note));
	} else if (t->skel->bss->most_ns < cost->inner_spread_ns) {
		t->skel->bss->most_ns = cost->inner_spread_ns;
	}
	/* A hit takes no time that this would make uncertain. */
	cost->inner_spread_ns = 0;
}

static void describe_others(struct tracepoints *t, bool is_of_system_calls)
{
	size_t length = strlen(t->filter_note);
	char took[64] = "";
	struct xp_cost cost;
	uint64_t made;

	if (!trial__measure(t, is_of_system_calls, &cost, &made))
		snprintf(took, sizeof(took), ", which took %llu to %llu ns longer here",
			 cost.call_ns, cost.call_ns + cost.call_spread_ns);
	snprintf(t->filter_note + length, sizeof(t->filter_note) - length,
		 is_of_system_calls ? "%sFor tracepoints of system calls the process's own calls and those of all others go a longer way, whether they hit one or not: at those that do%s." :
		 "%sHits of tracepoints are filtered in the eBPF programs, which other processes pass at each of theirs%s.",
		 length ? " " : "", took);
}

/* Beside points of other kinds. */
static void describe_own(struct tracepoints *t)
{
	size_t length = strlen(t->filter_note);

	snprintf(t->filter_note + length, sizeof(t->filter_note) - length,
		 "%sHits of tracepoints count what the kernel does to run the probes at the other points, as at memory and interrupts, and not what eBPF programs of the recording do: for what the process does without them measure tracepoints alone.",
		 length ? " " : "");
}

void tracepoints__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	bool is_of_system_calls;
	int class;

	*t->filter_note = 0;
	tracepoints__set_active(t, true);
	for (class = 0; class < 2; class++) {
		is_of_system_calls = class;
		if (!tracepoints__have(t, is_of_system_calls))
			continue;
		tracepoints__aim(t, getpid());
		price(t, is_of_system_calls);
		tracepoints__aim(t, 0);
		if (!t->view)
			describe_others(t, is_of_system_calls);
	}
	tracepoints__set_active(t, false);
	if (t->skel->rodata->marks_programs)
		describe_own(t);
	tracepoints__look(mechanism);
}
