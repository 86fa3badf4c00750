// SPDX-License-Identifier: GPL-2.0
/* Recordings of static probes. */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/bpf/hits.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "mechanism/map_memory.h"
#include "mechanism/scope.h"
#include "mechanism/tracer.h"
#include "mechanism/trap/held_files.h"
#include "mechanism/trap/usdt.h"
#include "mechanism/trap/usdt_state.h"
#include "permission/permission.h"

#define FILTER_NOTE "Static probes are traps in the code of the process; children that it forks have them as well, without being counted, until they execute another program or the recording ends."

static void usdt__unlink(struct usdt *usdt)
{
	struct links **all = calloc(usdt->base.nr, sizeof(*all));
	size_t i;

	for (i = 0; i < usdt->base.nr; i++) {
		if (all)
			all[i] = usdt->points[i].links;
		else if (usdt->points[i].links)
			links__free(usdt->points[i].links);
		usdt->points[i].links = NULL;
	}
	if (all)
		links__wait_closed(links__start_closing(all, usdt->base.nr));
	free(all);
	for (i = 0; i < usdt->base.nr; i++) {
		links__wait_closed(usdt->points[i].closing);
		usdt->points[i].closing = NULL;
	}
	bpf_link__destroy(usdt->frees);
	usdt->frees = NULL;
}

static void usdt__free(struct mechanism *mechanism)
{
	struct usdt *usdt = usdt__of(mechanism);

	if (usdt->points)
		usdt__unlink(usdt);
	figure_views__close(&usdt->views);
	usdt_bpf__destroy(usdt->skel);
	usdt__free_points(usdt);
	held_files__free(usdt->held);
	free(usdt);
}

static int usdt__choose(struct usdt *usdt, const struct mechanism_load *load, struct error *error)
{
	uint32_t functions = usdt->base.nr + 1, slots = map_memory__slots(0, functions, load->max_bytes);
	uint32_t intervals = functions * 4096 < HITS_INTERVALS ? functions * 4096 : HITS_INTERVALS;
	struct usdt_bpf *skel = usdt->skel;

	SCOPE_CHOOSE(skel, load->cgroup);
	links__prepare(usdt->links_kind, skel->progs.usdt_hit);
	skel->rodata->nr_points = usdt->base.nr;
	skel->rodata->nr_functions = functions;
	skel->rodata->slot_mask = slots - 1;
	skel->rodata->is_within_others = load->threads_fd >= 0;
	skel->rodata->is_within_more = load->more_threads_fd >= 0;
	skel->rodata->has_inner = load->inner_fd >= 0;
	skel->rodata->marks_programs = load->marks_fd >= 0;
	bpf_map__set_max_entries(skel->maps.calls, slots * functions);
	bpf_map__set_max_entries(skel->maps.totals, slots * functions * XP_SETS);
	bpf_map__set_max_entries(skel->maps.buckets, slots * functions * XP_SETS);
	bpf_map__set_max_entries(skel->maps.last_hits, intervals);
	usdt->base.figures = (struct figures){ .costs = usdt->costs, .slots = slots, .functions = functions,
					       .metrics = 1U << XP_BETWEEN };
	return scope__share_members(skel->maps.members, load, error) ||
	       bpf_access__share(skel->maps.others_threads, load->threads_fd, error) ||
	       bpf_access__share(skel->maps.more_threads, load->more_threads_fd, error) ||
	       bpf_access__share(skel->maps.inner_threads, load->inner_fd, error) ||
	       bpf_access__share(skel->maps.program_marks, load->marks_fd, error) ? -1 : 0;
}

/* Where each place has a perf event of its own, which takes long to detach. */
static int usdt__check_number(const struct usdt *usdt, struct error *error)
{
	size_t total = 0, i;

	for (i = 0; i < usdt->base.nr; i++)
		total += usdt->points[i].probe->nr;
	if (usdt->links_kind != LINKS_SINGLE || total <= LINKS_SINGLE_MAX)
		return 0;
	return error__set(error, ERR_TOO_MANY,
			  "The static probes have %zu places, and this kernel sets traps one by one, %d at most: choose fewer of them.",
			  total, LINKS_SINGLE_MAX);
}

static int usdt__load(struct mechanism *mechanism, const struct mechanism_load *load, struct error *error)
{
	struct usdt *usdt = usdt__of(mechanism);
	int failed;

	if (bpf_access__prepare(error))
		return -1;
	usdt->links_kind = links__best_kind();
	mechanism->by_thread = usdt->links_kind == LINKS_SINGLE;
	if (usdt__check_number(usdt, error))
		return -1;
again:
	usdt->skel = usdt_bpf__open_opts(kernel_types__opts());
	if (!usdt->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	if (usdt__choose(usdt, load, error))
		return -1;
	failed = usdt_bpf__load(usdt->skel);
	if (failed && kernel_types__join()) {
		usdt_bpf__destroy(usdt->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for static probes: %s.", strerror(-failed));
	if (figure_views__open(&usdt->views, usdt->skel->maps.calls, usdt->skel->maps.totals, usdt->skel->maps.buckets, &mechanism->figures,
			       error))
		return -1;
	return 0;
}

void usdt__aim(struct usdt *usdt, pid_t pid)
{
	usdt->skel->bss->target_began_ns = 0;
	usdt->skel->bss->target_tgid = pid;
	if (pid)
		bpf_access__visit_tasks(usdt->skel->progs.usdt_know_target);
}

static void usdt__set_active(struct usdt *usdt, bool active)
{
	__atomic_store_n(&usdt->skel->bss->active, active ? XP_ACTIVE : XP_INACTIVE, __ATOMIC_SEQ_CST);
}

static int point__attach(struct usdt *usdt, size_t point, struct error *error)
{
	struct places places = { 0 };
	int result = -1;

	usdt->points[point].links = links__new(usdt->links_kind, usdt->held, 0, error);
	if (!usdt->points[point].links)
		return -1;
	if (usdt__places(usdt, point, 1, &places))
		error__set(error, ERR_FAILED, "Out of memory.");
	else
		result = links__add(usdt->points[point].links, usdt->skel->progs.usdt_hit, usdt->base.pid, &places, false, error);
	places__free(&places);
	return result;
}

static int usdt__attach(struct mechanism *mechanism, struct error *error)
{
	struct usdt *usdt = usdt__of(mechanism);
	size_t i;

	bpf_access__allow_descriptors();
	if (usdt__check_code(usdt, error))
		return -1;
	usdt__aim(usdt, mechanism->pid);
	usdt->frees = bpf_program__attach(usdt->skel->progs.usdt_thread_freed);
	if (!usdt->frees)
		return error__set(error, ERR_UNSUPPORTED, "The kernel refused an eBPF program where threads are freed: %s.", strerror(errno));
	for (i = 0; i < mechanism->nr; i++)
		if (point__attach(usdt, i, error)) {
			usdt__unlink(usdt);
			return -1;
		}
	usdt->missed_before = bpf_access__missed_runs(usdt->skel->obj);
	return 0;
}

static int usdt__begin(struct mechanism *mechanism, struct error *error)
{
	usdt__set_active(usdt__of(mechanism), true);
	return 0;
}

static void usdt__end(struct mechanism *mechanism)
{
	usdt__set_active(usdt__of(mechanism), false);
}

static void usdt__detach(struct mechanism *mechanism)
{
	struct usdt *usdt = usdt__of(mechanism);

	usdt__set_active(usdt, false);
	usdt__unlink(usdt);
	tracer__wait();
}

static int usdt__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped, const uint32_t *kept,
		      size_t nr_kept, struct error *error)
{
	struct usdt *usdt = usdt__of(mechanism);
	size_t i;

	/* Nobody waits for that: the kernel may not get done before calls of functions end, see xprobe_closing.c. */
	for (i = 0; i < nr_dropped; i++) {
		struct usdt_point *point = &usdt->points[dropped[i]];

		if (point->links)
			point->closing = links__start_closing(&point->links, 1);
		point->links = NULL;
	}
	return 0;
}

static void usdt__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	const struct usdt *usdt = usdt__of(mechanism);

	losses->missed_returns += bpf_access__missed_runs(usdt->skel->obj) - usdt->missed_before;
}

static void usdt__describe(const struct mechanism *mechanism, size_t point, Kview__Wire__AttachedProbe *message)
{
	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_TRAP;
	message->call_cost_ns = usdt__of(mechanism)->costs[0].call_ns;
}

static const struct mechanism_ops usdt_ops = {
	.free = usdt__free, .load = usdt__load, .calibrate = usdt__calibrate, .attach = usdt__attach, .begin = usdt__begin,
	.end = usdt__end, .detach = usdt__detach, .describe = usdt__describe, .drop = usdt__drop, .avoid = usdt__avoid,
	.losses = usdt__losses, .file = usdt__file, .look_for_loaded = usdt__look_for_loaded, .is_awaited = usdt__is_awaited,
};

static bool usdt__serves(const Kview__Wire__StartRecordingRequest *request, const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_STATIC_PROBE;
}

static int usdt__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	if (permission__static_probes(error))
		return -1;
	if (request->events)
		return error__set(error, ERR_UNSUPPORTED, "There are no events of static probes, which are counted: record them without events.");
	if (request->filter == KVIEW__WIRE__FILTER__FILTER_VIEW)
		return error__set(error, ERR_UNSUPPORTED, "Static probes are in the process's own code, for which there is no kernel view: record them with --filter in (or auto).");
	if (scope__cgroup(request))
		return error__set(error, ERR_UNSUPPORTED, "Static probes are measured of one process, not of a whole cgroup: record a process of it.");
	if (request->n_probes >= HITS_MOST)
		return error__set(error, ERR_TOO_MANY, "%zu static probes are more than can be measured at a time, which are %u.",
				  request->n_probes, HITS_MOST - 1);
	return 0;
}

static struct mechanism *usdt__find(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	struct usdt *usdt;

	if (usdt__check(request, error))
		return NULL;
	usdt = calloc(1, sizeof(*usdt));
	if (usdt)
		usdt->held = held_files__new(permission__raising_files());
	if (!usdt || !usdt->held) {
		error__set(error, ERR_FAILED, "Out of memory.");
		free(usdt);
		return NULL;
	}
	usdt->base.ops = &usdt_ops;
	usdt->base.pid = request->pid;
	usdt->base.note = usdt->note;
	usdt->base.filter_note = FILTER_NOTE;
	usdt->base.beside = "hits that are not counted";
	usdt->base.changes_fd = usdt->base.threads_fd = usdt->base.ring.fd = -1;
	if (!usdt__look_up(usdt, request, error))
		return &usdt->base;
	usdt__free(&usdt->base);
	return NULL;
}

const struct mechanism_kind usdt_kind = { .serves = usdt__serves, .find = usdt__find };
