// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/membarrier.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/error.h"
#include "base/loop.h"
#include "mechanism/bpf/scope.h"
#include "mechanism/bpf_access.h"
#include "mechanism/process_tree.h"
#include "mechanism/trap/code_check.h"
#include "mechanism/trap/xprobe_children.h"
#include "mechanism/trap/xprobe_measures.h"
#include "mechanism/trap/xprobe_state.h"
#include "mechanism/trap/xprobe_view.h"
#include "mechanism/unseen.h"
#include "processes/cgroup.h"

/* Before the scheduler's other programs: those of a tracepoint run in the order in which they were attached. */
static int xprobe__attach_waits(struct xprobe *xprobe, struct error *error)
{
	struct bpf_program *programs[] = { xprobe->skel->progs.wait_ends, xprobe->skel->progs.wait_waker };
	int i;

	for (i = 0; xprobe->waits && i < 2; i++) {
		xprobe->waiting[i] = bpf_program__attach(programs[i]);
		if (!xprobe->waiting[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused an eBPF program on the scheduler's tracepoints, by which waits are told (%s: %s): record without.",
					  bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

static void xprobe__detach_waits(struct xprobe *xprobe)
{
	int i;

	xprobe_measures__detach(xprobe);
	for (i = 0; i < 2; i++) {
		bpf_link__destroy(xprobe->waiting[i]);
		xprobe->waiting[i] = NULL;
	}
}

int xprobe__attach_scheduler(struct xprobe *xprobe, struct error *error)
{
	struct bpf_program *programs[] = {
		xprobe->skel->progs.sched_switch, xprobe->skel->progs.sched_wakeup,
		xprobe->skel->progs.sched_process_exit, xprobe->skel->progs.sched_waking,
	};
	int i, nr = xprobe->events ? 4 : 3;

	if (xprobe__attach_waits(xprobe, error) || xprobe_measures__attach(xprobe, error))
		return -1;
	if (xprobe->own_switches &&
	    own_switches__attach(&xprobe->switches_of_threads, xprobe->skel->obj, xprobe->skel->bss->target_tgid))
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel refused the process's own context-switch events (%s): record by all switches of the host.",
				  strerror(errno));
	for (i = xprobe->own_switches ? 2 : 0; i < nr; i++) {
		xprobe->scheduler[i] = bpf_program__attach(programs[i]);
		if (!xprobe->scheduler[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused an eBPF program on the scheduler's tracepoint %s: %s.",
					  bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

/* All of it at once, be it before the scheduler is looked at. */
static int xprobe__enter_view(struct xprobe *xprobe, pid_t pid, struct error *error)
{
	if (xprobe_view__has_entered(xprobe->view))
		return 0;
	xprobe->skel->data->leader_exit_code = -1;
	return xprobe_view__enter(xprobe->view, pid, xprobe->skel->obj, error);
}

static int xprobe__watch_process(struct xprobe *xprobe, pid_t pid, struct error *error)
{
	struct bpf_program *programs[] = {
		xprobe->skel->progs.sched_process_fork, xprobe->skel->progs.sched_process_exec,
		xprobe->skel->progs.child_exits,
	};
	size_t i;

	if (xprobe->view)
		return xprobe__enter_view(xprobe, pid, error);
	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		xprobe->processes[i] = bpf_program__attach(programs[i]);
		if (!xprobe->processes[i])
			return error__set(error, ERR_UNSUPPORTED,
					  "The kernel refused an eBPF program on the tracepoint %s: %s.",
					  bpf_program__name(programs[i]), strerror(errno));
	}
	return 0;
}

static void xprobe__unlink(struct xprobe *xprobe, struct links *const *more, size_t nr)
{
	struct links *all[5] = { xprobe->entries, xprobe->calls, xprobe->exits };

	memcpy(all + 3, more, nr * sizeof(*more));
	xprobe__close(xprobe, all, 3 + nr);
	xprobe->entries = xprobe->calls = xprobe->exits = NULL;
}

void xprobe__settle(struct xprobe *xprobe)
{
	if (!xprobe->retired)
		return;
	/* Before the links close: a call whose end they then miss counts as lost, not as abandoned. */
	__atomic_store_n(&xprobe->skel->bss->oldest_edition, xprobe->edition, __ATOMIC_SEQ_CST);
	xprobe__close(xprobe, &xprobe->retired, 1);
	xprobe->retired = NULL;
}

/* XP_REVOKED is final: it is never passed as from. */
static bool xprobe__change(struct xprobe *xprobe, uint32_t from, uint32_t to)
{
	return __sync_bool_compare_and_swap(&xprobe->skel->bss->active, from, to);
}

void xprobe__end(struct xprobe *xprobe)
{
	if (xprobe->skel && (xprobe->entries || xprobe->exits))
		xprobe__change(xprobe, XP_ACTIVE, XP_INACTIVE);
}

void xprobe__detach(struct xprobe *xprobe)
{
	bool attached = xprobe->entries || xprobe->exits;
	struct links *const others[] = { xprobe->retired, xprobe->loader };
	bool all_seen = true;
	size_t i;

	xprobe__end(xprobe);
	xprobe__unlink(xprobe, others, sizeof(others) / sizeof(*others));
	xprobe->retired = xprobe->loader = NULL;
	xprobe__wait_closed(xprobe);
	xprobe__end_sweeps(xprobe);
	held_files__free(xprobe->files);
	xprobe->files = NULL;
	if (attached) {
		xprobe__end_children(xprobe);
		/* Waits for an RCU grace period: eBPF programs that run have ended. */
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		/* While ends of threads are still seen: each thread is looked at in one of the two. */
		all_seen = bpf_access__visit_all_tasks(xprobe->skel->progs.count_running,
						       &xprobe->skel->bss->running_unseen);
	}
	places__free(&xprobe->places);
	free((char *)xprobe->loader_place.path);
	xprobe->loader_place.path = NULL;
	for (i = 0; i < sizeof(xprobe->processes) / sizeof(*xprobe->processes); i++) {
		bpf_link__destroy(xprobe->processes[i]);
		xprobe->processes[i] = NULL;
	}
	if (xprobe->view)
		xprobe_view__leave(xprobe->view);
	xprobe__detach_waits(xprobe);
	own_switches__detach(&xprobe->switches_of_threads);
	for (i = 0; i < sizeof(xprobe->scheduler) / sizeof(*xprobe->scheduler); i++) {
		bpf_link__destroy(xprobe->scheduler[i]);
		xprobe->scheduler[i] = NULL;
	}
	/* Ends of threads that were still counted are in the figures then. */
	if (attached)
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	if (!all_seen || (attached && xprobe__counters(xprobe).threads_unseen))
		unseen__lose_calls(&xprobe->counts, bpf_map__fd(xprobe->skel->maps.calls));
}

static int xprobe__attach_places(struct xprobe *xprobe, pid_t pid,
				 const struct xprobe_function *functions, size_t nr,
				 struct error *error)
{
	struct places returns = { 0 }, sites = { 0 }, hidden = { 0 }, entries = { 0 };
	struct xprobe_bpf *skel = xprobe->skel;
	int failed;

	failed = places__add_returns(&returns, functions, nr) ||
		 places__add_sites(&sites, functions, nr) ||
		 places__add_hidden(&hidden, functions, nr) ||
		 (xprobe->calls ? places__add_entries_with_sites(&entries, functions, nr) :
				  places__add_entries(&entries, functions, nr)) ?
		error__set(error, ERR_FAILED, "Out of memory.") : 0;
	if (!failed)
		failed = (xprobe->calls ?
			  links__add_whole(xprobe->calls, xprobe->whole, pid, &returns,
					   error) :
			  links__add(xprobe->exits, skel->progs.call_return, pid, &returns, true,
				     error)) ||
			 links__add(xprobe->exits, skel->progs.call_hidden_site, pid, &hidden,
				    false, error) ||
			 links__add(xprobe->exits, skel->progs.call_exit_site, pid, &sites, false,
				    error) ||
			 links__add(xprobe->entries, skel->progs.call_entry, pid, &entries, false,
				    error);
	places__free(&returns);
	places__free(&sites);
	places__free(&hidden);
	places__free(&entries);
	return failed ? -1 : 0;
}

/* On failure what was attached is to be freed. */
static int xprobe__link(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
			size_t nr, struct error *error)
{
	xprobe->exits = links__new(xprobe->links_kind, xprobe->files, xprobe->edition, error);
	xprobe->entries = links__new(xprobe->links_kind, xprobe->files, xprobe->edition, error);
	if (xprobe->links_kind == LINKS_WHOLE)
		xprobe->calls = links__new(xprobe->links_kind, xprobe->files, xprobe->edition,
					   error);
	if (!xprobe->exits || !xprobe->entries ||
	    (xprobe->links_kind == LINKS_WHOLE && !xprobe->calls))
		return -1;
	return xprobe__attach_places(xprobe, pid, functions, nr, error);
}

static int xprobe__hold_files(struct xprobe *xprobe, struct error *error)
{
	if (!xprobe->files)
		xprobe->files = held_files__new(!xprobe->no_raising_files);
	return xprobe->files ? 0 : error__set(error, ERR_FAILED, "Out of memory.");
}

int xprobe__watch_code(struct xprobe *xprobe, pid_t pid, const struct place *loader,
		       struct error *error)
{
	struct places places = { .all = &xprobe->loader_place, .nr = 1 };
	struct xprobe_bpf *skel = xprobe->skel;

	skel->bss->target_tgid = pid;
	skel->bss->has_executed = skel->bss->process_lost = false;
	xprobe->children_kept = xprobe->children_cpu_ns = 0;
	skel->bss->proven_code = 0;
	if (xprobe__hold_files(xprobe, error) || xprobe__watch_process(xprobe, pid, error))
		goto fail;
	if (loader) {
		xprobe->loader_place = *loader;
		xprobe->loader_place.path = strdup(loader->path);
		if (!xprobe->loader_place.path) {
			error__set(error, ERR_FAILED, "Out of memory.");
			goto fail;
		}
		if (code__check(pid, &places, xprobe->files, NULL, 0, error))
			goto fail;
		xprobe->loader = links__new(xprobe->links_kind, xprobe->files, 0, error);
		if (!xprobe->loader || links__add(xprobe->loader, skel->progs.code_changes, pid,
						  &places, false, error))
			goto fail;
	}
	return 0;
fail:
	xprobe__detach(xprobe);
	return -1;
}

int xprobe__attach_only(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
			size_t nr, struct error *error)
{
	struct xprobe_bpf *skel = xprobe->skel;

	if (xprobe__describe(xprobe, functions, nr, error))
		return -1;
	skel->bss->target_tgid = pid != XPROBE_GROUP ? (uint32_t)pid : xprobe->tree ? (uint32_t)xprobe->tree->first : SCOPE_NOBODY;
	skel->bss->target_cgroup = pid == XPROBE_GROUP && xprobe->cgroup ? xprobe->cgroup->id : 0;
	skel->bss->measures_tree = pid == XPROBE_GROUP && xprobe->tree;
	skel->bss->nr_threads = 0;
	skel->bss->agent_pid = getpid();
	if (!xprobe->view)
		skel->data->leader_exit_code = -1;
	skel->bss->step_page = 0;
	if (xprobe->view ? xprobe__enter_view(xprobe, pid, error) : xprobe__attach_scheduler(xprobe, error))
		goto fail;
	if (xprobe__hold_files(xprobe, error))
		goto fail;
	/* Before the first probe is there to be copied. */
	if (places__add_sites(&xprobe->places, functions, nr) ||
	    places__add_hidden(&xprobe->places, functions, nr) ||
	    places__add_entries(&xprobe->places, functions, nr)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	if (pid == XPROBE_GROUP ? code__check_all(&xprobe->places, xprobe->files, functions, nr, error) :
				   code__check(pid, &xprobe->places, xprobe->files, functions, nr, error))
		goto fail;
	/* That one has its probe already. */
	if (xprobe->loader && places__add_one(&xprobe->places, &xprobe->loader_place)) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto fail;
	}
	if ((!xprobe->processes[0] && xprobe__watch_process(xprobe, pid, error)) ||
	    xprobe__link(xprobe, pid, functions, nr, error))
		goto fail;
	return 0;
fail:
	xprobe__detach(xprobe);
	return -1;
}

int xprobe__begin(struct xprobe *xprobe, pid_t pid, struct error *error)
{
	if (xprobe__change(xprobe, XP_INACTIVE, XP_ACTIVE))
		return 0;
	xprobe__detach(xprobe);
	return error__set(error, ERR_NO_PERMISSION,
			  "Process %d has executed a program that gives it rights.", pid);
}

int xprobe__attach(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *functions,
		   size_t nr, struct error *error)
{
	return xprobe__attach_only(xprobe, pid, functions, nr, error) ||
	       xprobe__begin(xprobe, pid, error) ? -1 : 0;
}

/*
 * Where no function is left, context switches need cost nothing more.  Calls that are under way then can't be
 * timed any longer, and are lost; ends of threads are still seen, to count them.  With events the scheduler is
 * watched on: the trace has it from here alone.
 */
static void xprobe__leave_scheduler(struct xprobe *xprobe)
{
	size_t i;

	if (xprobe->events)
		return;
	xprobe__change(xprobe, XP_ACTIVE, XP_INACTIVE);
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
	if (xprobe->view)
		xprobe_view__end_switches(xprobe->view);
	xprobe__detach_waits(xprobe);
	own_switches__detach(&xprobe->switches_of_threads);
	for (i = 0; i < 2; i++) {
		bpf_link__destroy(xprobe->scheduler[i]);
		xprobe->scheduler[i] = NULL;
	}
}

int xprobe__drop(struct xprobe *xprobe, pid_t pid, const struct xprobe_function *dropped,
		 size_t nr_dropped, const struct xprobe_function *kept, size_t nr_kept,
		 struct error *error)
{
	struct links *const old[] = { xprobe->entries, xprobe->exits };
	struct links *old_calls = xprobe->calls;
	size_t i;

	xprobe__settle(xprobe);
	if (xprobe->links_kind != LINKS_SINGLE) {
		xprobe->edition++;
		xprobe->entries = xprobe->calls = xprobe->exits = NULL;
		if (xprobe__link(xprobe, pid, kept, nr_kept, error)) {
			xprobe__unlink(xprobe, NULL, 0);
			xprobe__wait_closed(xprobe);
			xprobe->edition--;
			xprobe->entries = old[0];
			xprobe->exits = old[1];
			xprobe->calls = old_calls;
			return -1;
		}
	}
	for (i = 0; i < nr_dropped; i++)
		xprobe__set_off(xprobe, dropped[i].id);
	if (!nr_kept)
		xprobe__leave_scheduler(xprobe);
	if (xprobe->links_kind != LINKS_SINGLE) {
		__atomic_store_n(&xprobe->skel->bss->edition, xprobe->edition, __ATOMIC_SEQ_CST);
		xprobe->retired = old_calls;
		xprobe__close(xprobe, old, sizeof(old) / sizeof(*old));
		return 0;
	}
	for (i = 0; i < nr_dropped; i++) {
		links__remove(xprobe->entries, dropped[i].id);
		links__remove(xprobe->exits, dropped[i].id);
	}
	return 0;
}
