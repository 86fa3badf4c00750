// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/loop.h"
#include "recording/scope_members.h"
#include "recording/spending.h"

/* When probes come off, calls that are under way may go on for this long and still be timed. */
#define SETTLE_NS	1000000000ULL
/* How many looks to wait, at most, until removed places are gone: it takes up to a second to close a thousand. */
#define RELIEF_LOOKS	20
/* Two seconds of looks: the agent itself does something about what is not closed within one. */
#define CLOSING_LOOKS	40

/* Where the probes of a function came off. */
struct fate {
	uint64_t off_ns;	/* 0: they did not */
	uint32_t share_ppm;	/* of the process's CPU time; 0: they came off for another reason */
	char why[512];
};

struct spending {
	struct spending_opts opts;
	struct mechanisms *mechanisms;
	struct budget *budget;
	size_t nr, nr_parts;
	bool have_changed;		/* some probes came off, or had to */
	/* How many more looks judge nothing, because what relieve gave up is not removed yet. */
	unsigned int relief_looks;
	unsigned int closing_looks;	/* looks in a row at which the kernel had not removed what came off */
	unsigned int looks_left;	/* looks in a row that found the first thread ended, and others going on */
	uint64_t changed_ns;		/* when probes last came off, 0: that has settled */
	uint64_t cpu_before_ns, cpu_ns;	/* of the process; cpu_ns since the start */
	uint64_t *own_ns;		/* by function: what the process paid */
	uint64_t *beside_ns;		/* and for no function, by mechanism */
	uint64_t *cost_ns;		/* with its part of what children paid at most */
	struct mechanism_children children;
	uint64_t *children_ns;		/* by function: that part */
	uint32_t *dropped, *kept;
	struct fate *fates;
	char message[512];
};

static struct budget *spending__budget(const struct spending *s)
{
	uint32_t *mechanism_of = calloc(s->nr, sizeof(*mechanism_of));
	const struct budget_opts opts = {
		.ppm = s->opts.budget_ppm, .nr_functions = s->nr, .nr_mechanisms = s->nr_parts,
		.mechanism_of = mechanism_of, .now_ns = clock__now_ns(),
	};
	struct budget *budget = NULL;
	size_t i;

	for (i = 0; mechanism_of && i < s->nr; i++)
		mechanism_of[i] = mechanisms__part_of(s->mechanisms, i);
	if (mechanism_of)
		budget = budget__new(&opts);
	free(mechanism_of);
	return budget;
}

struct spending *spending__new(const struct spending_opts *opts)
{
	struct spending *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->opts = *opts;
	s->mechanisms = opts->mechanisms;
	s->nr = opts->mechanisms->nr;
	s->nr_parts = opts->mechanisms->nr_parts;
	s->budget = spending__budget(s);
	s->beside_ns = calloc(s->nr_parts, sizeof(*s->beside_ns));
	s->own_ns = calloc(s->nr, sizeof(*s->own_ns));
	s->cost_ns = calloc(s->nr, sizeof(*s->cost_ns));
	s->children_ns = calloc(s->nr, sizeof(*s->children_ns));
	s->dropped = calloc(s->nr, sizeof(*s->dropped));
	s->kept = calloc(s->nr, sizeof(*s->kept));
	s->fates = calloc(s->nr, sizeof(*s->fates));
	if (!s->budget || !s->beside_ns || !s->own_ns || !s->cost_ns || !s->children_ns || !s->dropped || !s->kept ||
	    !s->fates) {
		spending__free(s);
		return NULL;
	}
	s->cpu_before_ns = measured__cpu_ns(s->mechanisms);
	return s;
}

void spending__free(struct spending *s)
{
	if (!s)
		return;
	budget__free(s->budget);
	free(s->beside_ns);
	free(s->own_ns);
	free(s->cost_ns);
	free(s->children_ns);
	free(s->dropped);
	free(s->kept);
	free(s->fates);
	free(s);
}

/*
 * What children paid at most since the last look.  Which probes they hit is not known.  As they run
 * the process's code, a function is charged the part that it has of what the process itself paid
 * for all that children may have probes of.
 * A function whose probes came off keeps its part, so that the others are not charged for it.
 */
static void spending__charge_children(struct spending *s)
{
	struct mechanism_children now = mechanisms__children(s->mechanisms);
	uint64_t new_ns = now.cpu_ns - s->children.cpu_ns, own_ns = 0;
	size_t nr = 0, i;

	for (i = 0; i < s->nr; i++)
		if (mechanisms__is_in_children(s->mechanisms, i)) {
			own_ns += s->own_ns[i];
			nr++;
		}
	for (i = 0; i < s->nr; i++)
		if (!s->fates[i].off_ns && mechanisms__is_in_children(s->mechanisms, i))
			s->children_ns[i] += own_ns ? (double)new_ns * s->own_ns[i] / own_ns : new_ns / nr;
	s->children = now;
}

static void spending__read(struct spending *s)
{
	const struct point_figures *points = s->mechanisms->points;
	uint64_t cpu_ns = measured__cpu_ns(s->mechanisms);
	size_t i;

	mechanisms__refresh(s->mechanisms);
	/* Of a process that has ended nothing can be read any more. */
	if (cpu_ns > s->cpu_before_ns + s->cpu_ns)
		s->cpu_ns = cpu_ns - s->cpu_before_ns;
	for (i = 0; i < s->nr; i++)
		s->own_ns[i] = figures__calls(points[i].figures, points[i].function).cost_ns;
	for (i = 0; i < s->nr_parts; i++)
		s->beside_ns[i] = mechanisms__beside_ns(s->mechanisms, i);
	spending__charge_children(s);
	for (i = 0; i < s->nr; i++)
		s->cost_ns[i] = s->own_ns[i] + s->children_ns[i];
}

static struct budget_look spending__look_now(struct spending *s)
{
	spending__read(s);
	return (struct budget_look){
		.now_ns = clock__now_ns(), .cost_ns = s->cost_ns, .beside_ns = s->beside_ns,
		.process_cpu_ns = s->cpu_ns + s->children.cpu_ns,
	};
}

/* Why a function came off, for itself or for what its mechanism cost beside its functions. */
static void spending__say_why(const struct spending *s, uint32_t function, char *why, size_t size)
{
	uint32_t part = mechanisms__part_of(s->mechanisms, function);
	const char *at_most = s->children.nr ? "at most " : "";
	const char *whose = s->children.nr ? " and its forked children's" : "";
	double share = 100 * budget__share(s->budget), allowed = 100 * budget__allowed(s->budget);

	if (budget__is_for_beside(s->budget, function))
		snprintf(why, size, "For the %s's %s alone, probes of this kind cost %s%.3g %% of its CPU time%s, all probes together %.3g %%, and the budget is %.3g %%: all of this kind came off.",
			 measured__name(s->mechanisms), mechanisms__beside(s->mechanisms, part), at_most,
			 100 * budget__share_beside(s->budget, part), whose, share, allowed);
	else
		snprintf(why, size, "Its probes cost %s%.3g %% of the %s's CPU time%s, all probes together %.3g %%, and the budget is %.3g %%: they came off.",
			 at_most, 100 * budget__share_of(s->budget, function), measured__name(s->mechanisms), whose, share, allowed);
}

static void spending__explain(struct spending *s, uint32_t function, uint64_t now_ns)
{
	struct fate *fate = &s->fates[function];

	fate->off_ns = now_ns;
	fate->share_ppm = 1e6 * budget__share_of(s->budget, function) + 0.5;
	spending__say_why(s, function, fate->why, sizeof(fate->why));
	if (s->opts.comes_off)
		s->opts.comes_off(s->opts.context, function);
}

/* Tells what mechanisms cost apart from their functions, if that alone is too much; otherwise an empty text. */
static void spending__say_beside(const struct spending *s, char *text, size_t size)
{
	char names[256] = "";
	double share = 0;
	size_t i;

	for (i = 0; i < s->nr_parts; i++) {
		double own = budget__share_beside(s->budget, i);
		size_t length = strlen(names);

		share += own;
		if (own)
			snprintf(names + length, sizeof(names) - length, "%s%s", length ? " and its " : "",
				 mechanisms__beside(s->mechanisms, i));
	}
	*text = 0;
	if (share > budget__allowed(s->budget))
		snprintf(text, size, ", %.3g %% for its %s alone, whatever is chosen,", 100 * share, names);
}

static void spending__over(struct spending *s, const char *how)
{
	char beside[320];

	spending__say_beside(s, beside, sizeof(beside));
	snprintf(s->message, sizeof(s->message),
		 "The probes cost %s%.3g %% of the %s's CPU time%s%s and the budget is %.3g %%%s: choose %sa larger budget.",
		 s->children.nr ? "at most " : "", 100 * budget__share(s->budget), measured__name(s->mechanisms),
		 s->children.nr ? " and its forked children's" : "", beside, 100 * budget__allowed(s->budget),
		 how, *beside ? "" : "functions that are called less often, or ");
}

/* Takes off the probes of the functions in dropped, whose fates say why.  Returns 0 or -1. */
static int spending__take_off(struct spending *s, size_t nr_dropped, struct error *error)
{
	struct budget_look look;
	size_t nr_kept = 0, i;

	for (i = 0; i < s->nr; i++)
		if (!s->fates[i].off_ns)
			s->kept[nr_kept++] = i;
	if (measured__has_lost_first_thread(s->mechanisms))
		return -1;
	s->have_changed = true;
	if (mechanisms__drop(s->mechanisms, s->dropped, nr_dropped, s->kept, nr_kept, error)) {
		/* If the process has ended, the recording ends anyway. */
		log__line("probes could not be taken off one by one: %s", error->message);
		error__free(error);
		return -1;
	}
	s->changed_ns = clock__now_ns();
	/*
	 * Until the probes were off the cost was as before, so it does not show what the
	 * remaining functions cost.
	 */
	look = spending__look_now(s);
	budget__anew(s->budget, &look);
	return 0;
}

/* Returns false if the recording has to end. */
static bool spending__drop(struct spending *s, size_t nr_dropped)
{
	struct error error = { 0 };

	if (!budget__left(s->budget)) {
		spending__over(s, ", so that none is left");
		return false;
	}
	if (spending__take_off(s, nr_dropped, &error)) {
		spending__over(s, ", and the dearest could not be taken off alone");
		return false;
	}
	return true;
}

bool spending__code_changed(struct spending *s, const struct mechanism_off *off)
{
	uint64_t now_ns = clock__now_ns();
	struct error error = { 0 };
	size_t nr = 0, i;

	for (i = 0; i < off->nr; i++) {
		uint32_t function = off->points[i];

		if (s->fates[function].off_ns)
			continue;
		s->fates[function].off_ns = now_ns;
		snprintf(s->fates[function].why, sizeof(s->fates[function].why), "%s", off->why);
		if (s->opts.comes_off)
			s->opts.comes_off(s->opts.context, function);
		s->dropped[nr++] = function;
	}
	/* With a process that has ended the recording ends as any does. */
	if (!nr || !spending__take_off(s, nr, &error) || error.code == ERR_PROCESS_ENDED || error.code == ERR_NO_SUCH_PROCESS)
		return true;
	snprintf(s->message, sizeof(s->message),
		 "Some functions had to come off and could not be taken off alone: record it anew. %.250s%s%.150s", off->why, *error.message ? " " : "", error.message);
	return false;
}

/*
 * Of the functions in dropped that were to come off for what they cost themselves, the mechanisms may let some
 * keep their probes.  Leaves the others in dropped, and returns how many they are.
 */
static size_t spending__relieve(struct spending *s, size_t nr)
{
	size_t own = 0, left, i;

	for (i = 0; i < nr; i++) {
		uint32_t function = s->dropped[i];

		if (budget__is_for_beside(s->budget, function))
			continue;
		s->dropped[i] = s->dropped[own];
		s->dropped[own++] = function;
	}
	left = mechanisms__relieve(s->mechanisms, s->dropped, own, s->kept);
	for (i = 0; i < own - left; i++)
		budget__restore(s->budget, s->kept[i]);
	s->relief_looks = left < own ? RELIEF_LOOKS : 0;
	memmove(&s->dropped[left], &s->dropped[own], (nr - own) * sizeof(*s->dropped));
	return nr - (own - left);
}

bool spending__look(struct spending *s)
{
	bool is_repriced = mechanisms__reprice(s->mechanisms);
	struct budget_look look = spending__look_now(s);
	bool is_closing = mechanisms__is_relieving(s->mechanisms);
	size_t nr, i;

	if (s->changed_ns && !is_closing && look.now_ns - s->changed_ns >= SETTLE_NS &&
	    !measured__has_lost_first_thread(s->mechanisms)) {
		mechanisms__settle(s->mechanisms);
		s->changed_ns = 0;
	}
	/* What it cost since the last look, and costs until then, says nothing about the probes that are left. */
	if (s->relief_looks) {
		s->relief_looks = is_closing ? s->relief_looks - 1 : 0;
		budget__anew(s->budget, &look);
		return true;
	}
	/*
	 * Nor does a price that has changed.  And taking more off could keep the agent waiting for what the kernel has not closed;
	 * where others' recordings hold that up, the budget comes first.
	 */
	s->closing_looks = is_closing ? s->closing_looks + 1 : 0;
	if (is_repriced || (is_closing && s->closing_looks <= CLOSING_LOOKS)) {
		budget__anew(s->budget, &look);
		return true;
	}
	nr = budget__look(s->budget, &look, s->dropped);
	if (!nr)
		return true;
	if (measured__has_lost_first_thread(s->mechanisms)) {
		for (i = 0; i < nr; i++)
			budget__restore(s->budget, s->dropped[i]);
		s->have_changed = true;
		return true;
	}
	nr = spending__relieve(s, nr);
	for (i = 0; i < nr; i++)
		spending__explain(s, s->dropped[i], look.now_ns);
	return spending__drop(s, nr);
}

bool spending__has_lost_probes(struct spending *s)
{
	if ((!s->have_changed && !s->mechanisms->by_thread) ||
	    !measured__has_lost_first_thread(s->mechanisms)) {
		s->looks_left = 0;
		return false;
	}
	/* The others may just be about to end as well. */
	if (!s->looks_left++)
		return false;
	snprintf(s->message, sizeof(s->message),
		 "The first thread of the process has ended, and others go on: from then on probes can't be taken off one by one, and calls may not have been counted. The recording ended there.");
	return true;
}

const char *spending__message(const struct spending *s)
{
	return s->message;
}

void spending__tell(struct spending *s, Kview__Wire__HistogramDelta *delta)
{
	size_t i;

	spending__read(s);
	delta->process_cpu_ns = s->cpu_ns;
	for (i = 0; i < s->nr_parts; i++)
		delta->probes_cost_ns += s->beside_ns[i];
	for (i = 0; i < s->nr; i++)
		delta->probes_cost_ns += s->own_ns[i];
	delta->children = s->children.nr;
	delta->children_cpu_ns = s->children.cpu_ns;
	/* Where caches stay warm, it is less than the likely cost. */
	if (s->cpu_ns && delta->probes_cost_ns > s->cpu_ns)
		delta->probes_cost_ns = s->cpu_ns;
}

void spending__tell_function(const struct spending *s, Kview__Wire__FunctionDelta *function)
{
	const struct fate *fate = &s->fates[function->function_id];

	if (!fate->off_ns)
		return;
	function->probes_off_ns = fate->off_ns;
	function->probes_off = (char *)fate->why;
	function->probes_off_ppm = fate->share_ppm;
}
