// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <bpf/bpf.h>
#include <libkview.h>

#include "base/error.h"
#include "base/loop.h"
#include "bpf/causes.h"
#include "mechanism/bpf_access.h"
#include "mechanism/calls_cut.h"
#include "mechanism/condition.h"
#include "mechanism/kernel_types.h"
#include "mechanism/syscall/state.h"
#include "mechanism/syscall/syscall.h"
#include "mechanism/system_calls.h"
#include "permission/permission.h"

static void syscalls__free(struct mechanism *mechanism)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	tracer__close(&s->tracer);
	map_view__close(&s->failed);
	syscall_bpf__destroy(s->skel);
	for (i = 0; s->names && i < mechanism->nr; i++)
		free((char *)s->names[i]);
	free(s->names);
	free(s->numbers);
	free(s->conditions);
	splits__free(&s->splits);
	map_view__close(&s->tables);
	free(s);
}

static int syscalls__load(struct mechanism *mechanism, const struct mechanism_load *load,
			  struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	int failed;

	s->tracer.more_bytes = XP_FAILED_PLACES * sizeof(*mechanism->figures.failed) +
			       (s->conditions ? sizeof(*s->conditions) : 0);
	s->tracer.more_places = splits__places(&s->splits);
	if (tracer__plan(&s->tracer, load, mechanism->nr, "system calls", error) ||
	    tracer__choose_view(&s->tracer, load->view, false, syscalls__hook, NULL, error) ||
	    tracer__choose_switches(&s->tracer, load, mechanism->pid, error))
		return -1;
again:
	s->skel = syscall_bpf__open_opts(kernel_types__opts());
	if (!s->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	TRACER_CHOOSE(&s->tracer, s->skel);
	bpf_map__set_max_entries(s->skel->maps.failed, s->tracer.slots * s->tracer.functions * XP_FAILED_PLACES);
	s->skel->rodata->has_conditions = s->conditions;
	bpf_map__set_max_entries(s->skel->maps.conditions, s->conditions ? s->tracer.functions : 1);
	splits__place(&s->splits, mechanism->nr + 1);
	s->skel->rodata->has_splits = s->splits.of;
	bpf_map__set_max_entries(s->skel->maps.splits, mechanism->nr + 1);
	bpf_map__set_max_entries(s->skel->maps.split_tables, splits__tables(&s->splits) ?: 1);
	s->skel->rodata->is_within_others = load->threads_fd >= 0;
	if (bpf_access__share(s->skel->maps.others_threads, load->threads_fd, error))
		return -1;
	bpf_map__set_autocreate(s->skel->maps.more_threads, false);
	s->skel->rodata->has_inner = load->inner_fd >= 0;
	s->skel->rodata->marks_programs = load->marks_fd >= 0;
	if (scope__share_members(s->skel->maps.members, load, error) || scope__share_tree(s->skel->maps.tree, load, error) ||
	    bpf_access__share(s->skel->maps.inner_threads, load->inner_fd, error) ||
	    bpf_access__share(s->skel->maps.program_marks, load->marks_fd, error))
		return -1;
	failed = syscall_bpf__load(s->skel);
	if (failed && (kernel_types__join() || tracer__give_up_own_switches(&s->tracer, load))) {
		syscall_bpf__destroy(s->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for system calls: %s.",
				  strerror(-failed));
	if (conditions__tell(s->conditions, mechanism->nr, s->skel->maps.conditions, error) ||
	    splits__tell(&s->splits, 1, s->skel->maps.splits, error))
		return -1;
	TRACER_BIND(&s->tracer, s->skel);
	mechanism->threads_fd = bpf_map__fd(s->skel->maps.threads);
	if (view_hooks__run(&s->tracer.hooks, s->skel->obj, error))
		return -1;
	if (tracer__open(&s->tracer, mechanism, error))
		return -1;
	if (map_view__open(&s->failed, s->skel->maps.failed, PROT_READ) ||
	    map_view__open(&s->tables, s->skel->maps.split_tables, PROT_READ))
		return error__set(error, ERR_FAILED, "The counters could not be mapped: %s.", strerror(errno));
	mechanism->figures.failed = s->failed.at;
	mechanism->figures.strays_began_before = true;
	mechanism->figures.conditions = s->conditions;
	mechanism->figures.splits = s->splits.of;
	mechanism->figures.split_tables = s->tables.at;
	return 0;
}

/* What begins calls comes last. */
int syscalls__link(struct syscalls *s)
{
	if (!tracer__link_scheduler(&s->tracer) &&
	    !tracer__link(&s->tracer, s->skel->progs.sched_process_exit) &&
	    !tracer__link(&s->tracer, s->skel->progs.sched_process_exec) &&
	    !tracer__link(&s->tracer, s->skel->progs.system_call_exit) &&
	    !tracer__link(&s->tracer, s->skel->progs.system_call_enter))
		return 0;
	tracer__unlink(&s->tracer);
	return -1;
}

int syscalls__hook(void *context, struct view_hooks *hooks, struct kview_view *view, struct error *error)
{
	const char *entry = "sys_enter", *exit = "sys_exit";

	if (view_hooks__add(hooks, kview_view__add_tracepoints(view, &exit, 1, NULL), "system_call_exit", NULL, true) ||
	    view_hooks__add(hooks, kview_view__add_tracepoints(view, &entry, 1, NULL), "system_call_enter", NULL, true))
		return view_hooks__refused("system calls", error);
	return 0;
}

static int syscalls__attach(struct mechanism *mechanism, struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	for (i = 0; i < mechanism->nr; i++)
		s->skel->bss->points[s->numbers[i]] = SC_POINT(i) |
			(syscall__creates(s->numbers[i]) ? SC_CREATES : 0);
	memset(s->skel->bss->others, 0, sizeof(s->skel->bss->others));
	s->skel->bss->ended = s->skel->bss->is_off = false;
	s->skel->bss->resultless_point = mechanism->nr;
	for (i = 0; i < mechanism->nr; i++)
		if (s->numbers[i] == SYS_rt_sigreturn)
			s->skel->bss->resultless_point = i;
	tracer__reset(&s->tracer, mechanism->pid);
	if (s->tracer.view) {
		s->skel->bss->times_cut = 0;
		s->note_bytes = strlen(s->note);
		s->watches_cuts = !tracer__link(&s->tracer, s->skel->progs.system_calls_cut);
		return tracer__enter_view(&s->tracer, error);
	}
	if (syscalls__link(s))
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel refused an eBPF program on a tracepoint of system calls: %s.",
				  strerror(errno));
	return 0;
}

static int syscalls__begin(struct mechanism *mechanism, struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);

	s->skel->bss->began_ns = clock__now_ns();
	tracer__set_active(&s->tracer, true);
	return 0;
}

static void syscalls__end(struct mechanism *mechanism)
{
	tracer__set_active(&syscalls__of(mechanism)->tracer, false);
}

static void syscalls__detach(struct mechanism *mechanism)
{
	struct syscalls *s = syscalls__of(mechanism);

	tracer__set_active(&s->tracer, false);
	tracer__stop(&s->tracer, &s->base.figures, s->skel->progs.count_running);
}

static void syscalls__refresh(struct mechanism *mechanism)
{
	struct syscalls *s = syscalls__of(mechanism);

	if (!s->tracer.view)
		return;
	s->note[s->note_bytes] = 0;
	calls_cut__tell(s->note, sizeof(s->note), s->watches_cuts, s->skel->bss->times_cut);
}

/* Without points, neither the process nor others need pay at their system calls any more. */
static void syscalls__stop(struct syscalls *s)
{
	tracer__set_active(&s->tracer, false);
	s->skel->bss->is_off = true;
	tracer__stop(&s->tracer, &s->base.figures, s->skel->progs.count_running);
}

/*
 * Those that are under way are still timed while others stay.  Where none does they are lost: until the tracepoints
 * are off each system call pays, so that a dear one would be as dear as before for all else that is recorded.
 */
static int syscalls__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
			  const uint32_t *kept, size_t nr_kept, struct error *error)
{
	struct syscalls *s = syscalls__of(mechanism);
	size_t i;

	for (i = 0; i < nr_dropped; i++)
		s->skel->bss->points[s->numbers[dropped[i]]] = 0;
	if (!nr_kept)
		syscalls__stop(s);
	return 0;
}

static void syscalls__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	tracer__losses(&syscalls__of(mechanism)->tracer, losses);
}

static int syscalls__exit_code(const struct mechanism *mechanism)
{
	return tracer__exit_code(&syscalls__of(mechanism)->tracer);
}

static void syscalls__describe(const struct mechanism *mechanism, size_t point,
			       Kview__Wire__AttachedProbe *message)
{
	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_TRACEPOINT;
	message->call_cost_ns = syscalls__of(mechanism)->tracer.costs[0].call_ns;
	message->conditional = syscalls__of(mechanism)->conditions && syscalls__of(mechanism)->conditions[point].nr;
	message->split = splits__has(&syscalls__of(mechanism)->splits, point);
}

static const struct mechanism_ops syscalls_ops = {
	.free = syscalls__free, .load = syscalls__load, .calibrate = syscalls__calibrate,
	.attach = syscalls__attach, .begin = syscalls__begin, .end = syscalls__end,
	.detach = syscalls__detach, .describe = syscalls__describe, .drop = syscalls__drop,
	.refresh = syscalls__refresh, .beside_ns = syscalls__beside_ns, .losses = syscalls__losses,
	.exit_code = syscalls__exit_code,
};

static bool syscalls__serve(const Kview__Wire__StartRecordingRequest *request,
			    const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_SYSTEM_CALL;
}

static int syscalls__add(struct syscalls *s, const char *name, struct error *error)
{
	int number = syscall__number(name);
	size_t i, at = s->base.nr;

	if (number < 0 || number >= SC_NUMBERS)
		return system_calls__unknown(name, error);
	for (i = 0; i < at; i++)
		if (s->numbers[i] == number)
			return error__set(error, ERR_BAD_REQUEST, "The system call %.100s was chosen twice.",
					  name);
	s->numbers[at] = number;
	s->names[at] = strdup(name);
	if (!s->names[at])
		return error__set(error, ERR_FAILED, "Out of memory.");
	s->base.nr++;
	return 0;
}

static struct mechanism *syscalls__find(const Kview__Wire__StartRecordingRequest *request,
					struct error *error)
{
	struct syscalls *s;
	size_t i;

	if (permission__system_calls(error) || system_calls__check_process(request->pid, error))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s)
		goto no_memory;
	s->base.ops = &syscalls_ops;
	s->base.pid = request->pid;
	s->base.kind = "System calls";
	s->base.note = s->note;
	s->base.filter_note = s->filter_note;
	s->base.beside = "context switches and system calls that are not measured";
	s->base.changes_fd = s->base.threads_fd = s->base.ring.fd = -1;
	s->numbers = calloc(request->n_probes, sizeof(*s->numbers));
	s->names = calloc(request->n_probes, sizeof(*s->names));
	if (!s->numbers || !s->names)
		goto no_memory;
	s->base.names = s->names;
	for (i = 0; i < request->n_probes; i++)
		if (syscalls__add(s, request->probes[i]->system_call->name, error))
			goto fail;
	if (conditions__read(request, s->names, &s->conditions, error) || splits__read(request, s->names, &s->splits, error))
		goto fail;
	return &s->base;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	if (s)
		syscalls__free(&s->base);
	return NULL;
}

const struct mechanism_kind syscall_kind = { .takes_conditions = true, .serves = syscalls__serve, .find = syscalls__find };
