// SPDX-License-Identifier: GPL-2.0
/*
 * Tracepoints in the process's own view of the kernel, so that nobody else pays for them.  What such a view does not show:
 * hits in interrupts, those within an execve, from when the process's memory is replaced, and those of a thread that ends,
 * from when it has given up its memory: its files are closed, and the parent is told, only then.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libkview.h>

#include "mechanism/bpf_access.h"
#include "mechanism/calls_cut.h"
#include "mechanism/shared_view.h"
#include "mechanism/tracepoint/state.h"

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

/* Where an execve succeeds a view has one hit less. */
static bool point__ends_execve(const struct tracepoint *point)
{
	static const char *const events[] = { "sys_exit_execve", "sys_exit_execveat", NULL };

	return !strcmp(point->category, "syscalls") ? is_one_of(point->name, events) : !strcmp(point->name, "sys_exit");
}

/* The process has left its view by then. */
static bool point__is_never_seen(const struct tracepoint *point)
{
	static const char *const names[] = { "sched_process_exec", "sched_process_exit", "sched_process_free", NULL };

	return !strcmp(point->category, "sched") && is_one_of(point->name, names);
}

/* Whether hits are the same in a view: none of them can come in an interrupt. */
static int tracepoints__are_the_same(const struct tracepoints *t, struct error *error)
{
	size_t i;

	for (i = 0; i < t->base.nr; i++)
		if (!t->points[i].is_of_system_calls || point__ends_execve(&t->points[i]))
			return error__set(error, ERR_UNSUPPORTED,
					  "In a kernel view hits of %.100s in interrupts or within an execve are not seen, so it is only measured there with --filter view.",
					  t->points[i].label);
	return 0;
}

static struct kview_set *point__hook(struct tracepoint *point, struct kview_view *view)
{
	struct kview_set *set = NULL;
	const char *name = point->name;
	char event[512];

	if (!point->is_event)
		set = kview_view__add_tracepoints(view, &name, 1, NULL);
	/* An event may have another name than its tracepoint. */
	if (set || (!point->is_event && errno != ENOENT))
		return set;
	snprintf(event, sizeof(event), "%s:%s", point->category, point->name);
	name = event;
	point->is_event = true;
	return kview_view__add_events(view, &name, 1, NULL);
}

static int point__refuse(const struct tracepoint *point, struct error *error)
{
	if (point->refused == TRACEPOINT_UNSEEN)
		return error__set(error, ERR_UNSUPPORTED, "Hits of %.100s are not seen in a view, which the process has left by then.",
				  point->label);
	errno = point->refused;
	return view_hooks__refused(point->label, error);
}

static int tracepoints__hook(void *context, struct kview_view *view, struct error *error)
{
	static const char *const sides[TP_SIDES] = { "sys_enter", "sys_exit" };
	struct tracepoints *t = context;
	size_t refused = 0, i;

	if (t->filter != KVIEW__WIRE__FILTER__FILTER_VIEW && tracepoints__are_the_same(t, error))
		return -1;
	for (i = 0; i < t->base.nr; i++) {
		struct tracepoint *point = &t->points[i];
		bool is_of_side = point->number >= 0;
		struct kview_set **set = is_of_side ? &t->calls_sets[point->side] : &point->at.set;

		point->refused = point__is_never_seen(point) ? TRACEPOINT_UNSEEN : 0;
		if (!*set && !point->refused)
			*set = is_of_side ? kview_view__add_tracepoints(view, &sides[point->side], 1, NULL) : point__hook(point, view);
		if (!*set && !point->refused)
			point->refused = errno;
		refused += point->refused != 0;
	}
	/* Others can do without it, if somebody wants a view. */
	for (i = 0; i < t->base.nr && refused; i++)
		if (t->points[i].refused && (refused == t->base.nr || t->filter != KVIEW__WIRE__FILTER__FILTER_VIEW))
			return point__refuse(&t->points[i], error);
	return view_hooks__add_end(&t->hooks, view, error);
}

static void tracepoints__unhook(void *context)
{
	struct tracepoints *t = context;
	size_t i;

	for (i = 0; i < t->base.nr; i++) {
		hit_set__close(&t->points[i].at.set, t);
		t->points[i].refused = 0;
	}
	for (i = 0; i < TP_SIDES; i++)
		hit_set__close(&t->calls_sets[i], t);
	view_hooks__free(&t->hooks);
}

int tracepoints__choose_view(struct tracepoints *t, struct shared_view *view, struct error *error)
{
	const struct view_user user = { .add = tracepoints__hook, .remove = tracepoints__unhook, .context = t };
	int used;

	t->filter = view ? view->filter : KVIEW__WIRE__FILTER__FILTER_IN;
	used = shared_view__use(view, &user, error);
	t->view = used > 0 ? view : NULL;
	t->base.in_view = t->view;
	return used < 0 ? -1 : 0;
}

static int point__run(struct tracepoints *t, size_t point)
{
	struct tracepoint *p = &t->points[point];
	uint32_t mark = tracepoint__mark(t, point);

	if (!p->at.set)
		return 0;
	if (p->is_event)
		return kview_set__add_prog(p->at.set, bpf_program__fd(t->skel->progs.event_hit), mark, NULL);
	return hit_link__program(&p->at, t, mark) ? -errno : kview_set__add_prog(p->at.set, p->at.program, 0, NULL);
}

int tracepoints__run_in_view(struct tracepoints *t, struct error *error)
{
	struct bpf_program *const programs[TP_SIDES] = { t->skel->progs.system_call_enter, t->skel->progs.system_call_exit };
	int failed = 0, side;
	size_t i;

	for (i = 0; i < t->base.nr && !failed; i++)
		failed = point__run(t, i);
	if (failed)
		return error__set(error, ERR_UNSUPPORTED, "The kview module refused an eBPF program at %.200s: %s. Leave it out, or record with --filter in.",
				  t->names[i - 1], strerror(-failed));
	for (side = 0; side < TP_SIDES && !failed; side++)
		if (t->calls_sets[side])
			failed = kview_set__add_prog(t->calls_sets[side], bpf_program__fd(programs[side]), 0, NULL);
	if (failed)
		return error__set(error, ERR_UNSUPPORTED, "The kview module refused an eBPF program at system calls: %s.", strerror(-failed));
	return view_hooks__run(&t->hooks, t->skel->obj, error);
}

int tracepoints__enter_view(struct tracepoints *t, struct error *error)
{
	t->skel->bss->times_cut = 0;
	if (tracepoints__have(t, true))
		t->cuts = bpf_program__attach(t->skel->progs.system_calls_cut);
	t->watches_cuts = t->cuts;
	if (shared_view__enter(t->view, error))
		return -1;
	t->has_entered = true;
	return 0;
}

void tracepoints__leave_view(struct tracepoints *t)
{
	if (t->has_entered) {
		bpf_access__visit_tasks(t->skel->progs.compare_target);
		shared_view__leave(t->view);
	}
	t->has_entered = false;
	bpf_link__destroy(t->cuts);
	t->cuts = NULL;
	tracepoints__unhook(t);
}

uint64_t tracepoints__in_interrupts(const struct tracepoints *t)
{
	uint64_t hits = t->in_interrupts;
	size_t i;

	for (i = 0; i < t->base.nr; i++)
		hits += hit_set__in_interrupts(t->points[i].at.set);
	return hits;
}

void tracepoints__look(struct mechanism *mechanism)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	uint64_t hits = t->view ? tracepoints__in_interrupts(t) - t->in_interrupts_before : 0;
	uint64_t ended = t->view && tracepoints__have(t, false) ? t->skel->bss->threads_ended : 0;
	const char *space = *t->price_note ? " " : "";
	int length = snprintf(t->note, sizeof(t->note), "%s", t->price_note);

	if (hits)
		length += snprintf(t->note + length, sizeof(t->note) - length,
				   "%s%llu hits of tracepoints came in interrupts while the process ran, and are not counted in a view.", space,
				   (unsigned long long)hits);
	if (ended)
		length += snprintf(t->note + length, sizeof(t->note) - length,
				   "%s%llu thread%s of the process ended: what tracepoints a thread comes to after it has given up its memory, as when its last files are closed, is not counted in a view.",
				   length ? " " : "", (unsigned long long)ended, ended == 1 ? "" : "s");
	if (t->view && (t->cgroup || t->tree))
		length += snprintf(t->note + length, sizeof(t->note) - length,
				   "%sWhat tracepoints a process comes to within an execve, from when its memory is replaced, is not counted in a view.",
				   length ? " " : "");
	if (t->view && t->skel->bss->has_executed)
		snprintf(t->note + length, sizeof(t->note) - length,
			 "%sThe process executed another program: what tracepoints it came to meanwhile, from when its memory was replaced, is not counted in a view.",
			 length ? " " : "");
	if (t->view && tracepoints__have(t, true))
		calls_cut__tell(t->note, sizeof(t->note), t->watches_cuts, t->skel->bss->times_cut);
}
