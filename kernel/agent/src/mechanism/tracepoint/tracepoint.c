// SPDX-License-Identifier: GPL-2.0
/* Recordings of tracepoints. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "mechanism/bpf/scope.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "mechanism/map_memory.h"
#include "mechanism/scope.h"
#include "mechanism/tracepoint/names.h"
#include "mechanism/tracepoint/state.h"
#include "mechanism/tracepoint/tracefs.h"
#include "mechanism/tracepoint/tracepoint.h"
#include "mechanism/tracer.h"
#include "permission/permission.h"

#define PREFIX "tracepoint:"

static void tracepoints__unlink(struct tracepoints *t)
{
	size_t i;

	for (i = 0; i < t->base.nr; i++)
		hit_link__close(&t->points[i].at, &t->missed);
	system_calls__unlink(t);
	bpf_link__destroy(t->frees);
	t->frees = NULL;
}

static void tracepoints__free(struct mechanism *mechanism)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	size_t i;

	if (t->points) {
		tracepoints__unlink(t);
		tracepoints__leave_view(t);
	}
	figure_views__close(&t->views);
	tracepoint_bpf__destroy(t->skel);
	if (t->tracefs >= 0)
		close(t->tracefs);
	for (i = 0; t->points && i < mechanism->nr; i++) {
		free(t->points[i].label);
		free(t->points[i].category);
		free(t->points[i].name);
	}
	free(t->points);
	free(t->names);
	free(t);
}

/* How many entries: what fits, and no more than all points have. */
static uint32_t intervals(size_t points)
{
	return points * 4096 < HITS_INTERVALS ? points * 4096 : HITS_INTERVALS;
}

static int tracepoints__choose(struct tracepoints *t, const struct mechanism_load *load, struct error *error)
{
	struct tracepoint_bpf *skel = t->skel;
	uint32_t functions = t->base.nr + 1, slots = map_memory__slots(0, functions, load->max_bytes);

	skel->rodata->in_view = t->view != NULL;
	SCOPE_CHOOSE(skel, load->cgroup);
	SCOPE_CHOOSE_TREE(skel, load->tree);
	t->cgroup = load->cgroup;
	t->tree = load->tree;
	bpf_program__set_autoload(skel->progs.view_thread_ends, t->view);
	bpf_program__set_autoload(skel->progs.system_calls_cut, t->view && tracepoints__have(t, true));
	bpf_program__set_autoload(skel->progs.sched_process_free, !t->view);
	t->watches_cuts = true;
	skel->rodata->nr_points = t->base.nr;
	skel->rodata->nr_functions = functions;
	skel->rodata->slot_mask = slots - 1;
	skel->rodata->is_within_others = load->threads_fd >= 0;
	skel->rodata->is_within_more = load->more_threads_fd >= 0;
	skel->rodata->has_inner = load->inner_fd >= 0;
	skel->rodata->marks_programs = load->marks_fd >= 0;
	bpf_map__set_max_entries(skel->maps.calls, slots * functions);
	bpf_map__set_max_entries(skel->maps.totals, slots * functions * XP_SETS);
	bpf_map__set_max_entries(skel->maps.buckets, slots * functions * XP_SETS);
	bpf_map__set_max_entries(skel->maps.last_hits, intervals(functions));
	t->base.figures = (struct figures){ .costs = t->costs, .slots = slots, .functions = functions,
					    .metrics = 1U << XP_BETWEEN };
	return scope__share_members(skel->maps.members, load, error) || scope__share_tree(skel->maps.tree, load, error) ||
	       bpf_access__share(skel->maps.others_threads, load->threads_fd, error) ||
	       bpf_access__share(skel->maps.more_threads, load->more_threads_fd, error) ||
	       bpf_access__share(skel->maps.inner_threads, load->inner_fd, error) ||
	       bpf_access__share(skel->maps.program_marks, load->marks_fd, error) ? -1 : 0;
}

static int tracepoints__load(struct mechanism *mechanism, const struct mechanism_load *load, struct error *error)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	int failed;

	if (bpf_access__prepare(error) || tracepoints__choose_view(t, load->view, error))
		return -1;
again:
	t->skel = tracepoint_bpf__open_opts(kernel_types__opts());
	if (!t->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	if (tracepoints__choose(t, load, error))
		return -1;
	failed = tracepoint_bpf__load(t->skel);
	if (failed && kernel_types__join()) {
		tracepoint_bpf__destroy(t->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for tracepoints: %s.", strerror(-failed));
	if (figure_views__open(&t->views, t->skel->maps.calls, t->skel->maps.totals, t->skel->maps.buckets, &mechanism->figures,
			       error))
		return -1;
	return t->view ? tracepoints__run_in_view(t, error) : 0;
}

void tracepoints__aim(struct tracepoints *t, pid_t pid)
{
	t->skel->bss->target_began_ns = 0;
	t->skel->bss->target_tgid = pid;
	if (pid)
		bpf_access__visit_tasks(t->skel->progs.know_target);
}

void tracepoints__set_active(struct tracepoints *t, bool active)
{
	__atomic_store_n(&t->skel->bss->active, active ? XP_ACTIVE : XP_INACTIVE, __ATOMIC_SEQ_CST);
}

static int point__link(struct tracepoints *t, size_t point)
{
	struct tracepoint *p = &t->points[point];
	uint32_t mark = tracepoint__mark(t, point);

	/* Together with the others. */
	if (p->number >= 0)
		return 0;
	/* An event may have another name than its tracepoint. */
	if (!p->is_event && !hit_link__raw(&p->at, t, p->name, mark))
		return 0;
	if (!p->is_event && errno != ENOENT)
		return -1;
	return hit_link__event(&p->at, t, p->category, p->name, mark);
}

static uint64_t tracepoints__missed(const struct tracepoints *t)
{
	uint64_t missed = t->missed + bpf_access__missed_runs(t->skel->obj);
	size_t i;

	for (i = 0; i < t->base.nr; i++)
		missed += hit_link__missed(&t->points[i].at) + hit_set__missed(t->points[i].at.set);
	for (i = 0; i < TP_SIDES; i++)
		missed += hit_set__missed(t->calls_sets[i]);
	return missed;
}

/* Whether others may be attached still: it is not for want of something that they need as well. */
static bool is_of_one_point(int failed)
{
	return failed != ENOMEM && failed != EMFILE && failed != ENFILE && failed != EPERM && failed != EACCES;
}

static int tracepoints__attach_in_view(struct tracepoints *t, struct error *error)
{
	t->skel->bss->has_executed = false;
	t->skel->bss->threads_ended = 0;
	system_calls__link(t);
	t->missed_before = tracepoints__missed(t);
	t->in_interrupts_before = tracepoints__in_interrupts(t);
	return tracepoints__enter_view(t, error);
}

static int tracepoints__attach(struct mechanism *mechanism, struct error *error)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	size_t refused = 0, i;
	int failed;

	bpf_access__allow_descriptors();
	tracepoints__aim(t, t->cgroup ? 0 : mechanism->pid);
	if (t->cgroup)
		t->skel->bss->target_tgid = SCOPE_NOBODY;
	t->skel->bss->target_cgroup = t->cgroup ? t->cgroup->id : 0;
	t->skel->bss->measures_tree = t->tree;
	if (t->view)
		return tracepoints__attach_in_view(t, error);
	t->frees = bpf_program__attach(t->skel->progs.sched_process_free);
	if (!t->frees)
		return error__set(error, ERR_UNSUPPORTED, "The kernel refused an eBPF program where threads are freed: %s.", strerror(errno));
	if (system_calls__link(t)) {
		failed = errno;
		tracepoints__unlink(t);
		return error__set(error, ERR_UNSUPPORTED, "The kernel refused an eBPF program on a tracepoint of system calls: %s.",
				  strerror(failed));
	}
	for (i = 0; i < mechanism->nr; i++) {
		if (!point__link(t, i))
			continue;
		failed = errno;
		if (is_of_one_point(failed) && ++refused < mechanism->nr) {
			t->points[i].refused = failed;
			continue;
		}
		tracepoints__unlink(t);
		return error__set(error, ERR_NOT_PROBEABLE, "The kernel refused an eBPF program at %.200s: %s. Leave it out.",
				  t->names[i], strerror(failed));
	}
	t->missed_before = tracepoints__missed(t);
	return 0;
}

/* Those that were refused come off, for one reason at a time. */
static const char *tracepoints__follow(struct mechanism *mechanism, struct mechanism_off *off)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	int refused = 0;
	size_t i;

	for (i = 0; i < mechanism->nr; i++) {
		if (!t->points[i].refused || (refused && t->points[i].refused != refused))
			continue;
		refused = t->points[i].refused;
		t->points[i].refused = 0;
		off->points[off->nr++] = i;
	}
	off->were_never_on = off->nr;
	if (!off->nr)
		return NULL;
	if (refused == TRACEPOINT_UNSEEN)
		snprintf(off->why, sizeof(off->why), "Its hits are not seen in a view, which the process has left by then.");
	else if (t->view)
		snprintf(off->why, sizeof(off->why), "The kview module has no place for this tracepoint in a view (%s).",
			 view_hooks__reason(refused));
	else
		snprintf(off->why, sizeof(off->why), "The kernel refused an eBPF program at this tracepoint: %s.", strerror(refused));
	return NULL;
}

static int tracepoints__begin(struct mechanism *mechanism, struct error *error)
{
	tracepoints__set_active(tracepoints__of(mechanism), true);
	return 0;
}

static void tracepoints__end(struct mechanism *mechanism)
{
	tracepoints__set_active(tracepoints__of(mechanism), false);
}

static void tracepoints__detach(struct mechanism *mechanism)
{
	struct tracepoints *t = tracepoints__of(mechanism);

	tracepoints__set_active(t, false);
	tracepoints__leave_view(t);
	tracepoints__unlink(t);
	tracer__wait();
	tracepoints__look(mechanism);
}

/* Nobody pays for these any more. */
static int tracepoints__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
			     const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct tracepoints *t = tracepoints__of(mechanism);
	size_t i;

	for (i = 0; i < nr_dropped; i++) {
		hit_set__close(&t->points[dropped[i]].at.set, t);
		hit_link__close(&t->points[dropped[i]].at, &t->missed);
		system_calls__drop(t, dropped[i]);
	}
	return 0;
}

static void tracepoints__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	const struct tracepoints *t = tracepoints__of(mechanism);

	losses->missed_returns += tracepoints__missed(t) - t->missed_before;
}

static void tracepoints__describe(const struct mechanism *mechanism, size_t point, Kview__Wire__AttachedProbe *message)
{
	const struct tracepoints *t = tracepoints__of(mechanism);

	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_TRACEPOINT;
	message->call_cost_ns = t->costs[t->points[point].is_of_system_calls].call_ns;
}

static const struct mechanism_ops tracepoints_ops = {
	.free = tracepoints__free, .load = tracepoints__load, .calibrate = tracepoints__calibrate,
	.attach = tracepoints__attach, .begin = tracepoints__begin, .end = tracepoints__end,
	.detach = tracepoints__detach, .describe = tracepoints__describe, .drop = tracepoints__drop,
	.refresh = tracepoints__look, .follow = tracepoints__follow, .losses = tracepoints__losses,
};

static bool tracepoints__serve(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_TRACEPOINT;
}

/* all: as of tracepoint_names__all(). */
static int tracepoints__add(struct tracepoints *t, const char *all, const char *category, const char *name, struct error *error)
{
	struct tracepoint *point = &t->points[t->base.nr];
	size_t i;

	if (tracepoint_names__check(t->tracefs, category, name, error))
		return -1;
	for (i = 0; i < t->base.nr; i++)
		if (!strcmp(t->points[i].category, category) && !strcmp(t->points[i].name, name))
			return error__set(error, ERR_BAD_REQUEST, "The tracepoint %.100s:%.100s was chosen twice.", category, name);
	t->base.nr++;
	point->at = NO_LINK;
	point->category = strdup(category);
	point->name = strdup(name);
	point->number = -1;
	if (asprintf(&point->label, PREFIX "%s:%s", category, name) < 0)
		point->label = NULL;
	t->names[t->base.nr - 1] = point->label;
	if (!point->category || !point->name || !point->label)
		return error__set(error, ERR_FAILED, "Out of memory.");
	point->is_event = !system_call__of(point) && (!strcmp(category, "syscalls") || tracepoint_names__is_ambiguous(all, name));
	point->is_of_system_calls = !strcmp(category, "syscalls") || !strcmp(category, "raw_syscalls");
	return 0;
}

static int tracepoints__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	if (permission__tracepoints(error))
		return -1;
	if (request->events)
		return error__set(error, ERR_UNSUPPORTED, "There are no events of tracepoints, which are counted: record them without events.");
	if (request->n_probes >= HITS_MOST)
		return error__set(error, ERR_TOO_MANY, "%zu tracepoints are more than can be measured at a time, which are %u.",
				  request->n_probes, HITS_MOST - 1);
	return 0;
}

static struct mechanism *tracepoints__find(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct tracepoints *t;
	char *all = NULL;
	size_t i;

	if (tracepoints__check(request, error))
		return NULL;
	t = calloc(1, sizeof(*t));
	if (!t)
		goto no_memory;
	t->base.ops = &tracepoints_ops;
	t->base.pid = request->pid;
	t->base.note = t->note;
	t->base.filter_note = t->filter_note;
	t->base.kind = "Tracepoints";
	t->base.beside = "system calls";
	t->base.counts_hits = true;
	t->base.changes_fd = t->base.threads_fd = t->base.ring.fd = -1;
	t->tracefs = tracefs__open(error);
	if (t->tracefs < 0)
		goto fail;
	t->points = calloc(request->n_probes, sizeof(*t->points));
	t->names = calloc(request->n_probes, sizeof(*t->names));
	if (!t->points || !t->names)
		goto no_memory;
	t->base.names = t->names;
	all = tracepoint_names__all(t->tracefs);
	if (!all)
		goto no_memory;
	for (i = 0; i < request->n_probes; i++)
		if (tracepoints__add(t, all, request->probes[i]->tracepoint->category, request->probes[i]->tracepoint->name, error))
			goto fail;
	free(all);
	return &t->base;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	free(all);
	if (t)
		tracepoints__free(&t->base);
	return NULL;
}

const struct mechanism_kind tracepoint_kind = { .serves = tracepoints__serve, .find = tracepoints__find };
