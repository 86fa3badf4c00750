// SPDX-License-Identifier: GPL-2.0
/* Recordings of kernel functions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bpf/causes.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel/kernel.h"
#include "mechanism/kernel/state.h"
#include "mechanism/kernel_types.h"
#include "permission/permission.h"

#define PREFIX "kernel:"

static void functions__free(struct mechanism *mechanism)
{
	struct kernel_functions *k = functions__of(mechanism);
	size_t i;

	tracer__close(&k->tracer);
	kernel_bpf__destroy(k->skel);
	for (i = 0; k->names && i < mechanism->nr; i++)
		free((char *)k->names[i]);
	free(k->names);
	free(k->symbols);
	free(k->cookies);
	free(k->refused);
	free(k->hooked);
	free(k->hooked_cookies);
	free(k);
}

static int functions__load(struct mechanism *mechanism, const struct mechanism_load *load,
			   struct error *error)
{
	struct kernel_functions *k = functions__of(mechanism);
	int failed;

	if (tracer__plan(&k->tracer, load, mechanism->nr, "kernel functions", error))
		return -1;
	if (functions__choose_way(k, load->view, error) || tracer__choose_switches(&k->tracer, load, mechanism->pid, error))
		return -1;
again:
	k->skel = kernel_bpf__open_opts(kernel_types__opts());
	if (!k->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	TRACER_CHOOSE(&k->tracer, k->skel);
	functions__choose_programs(k);
	k->skel->rodata->marks_programs = load->marks_fd >= 0;
	if (scope__share_members(k->skel->maps.members, load, error) || scope__share_tree(k->skel->maps.tree, load, error) ||
	    bpf_access__share(k->skel->maps.program_marks, load->marks_fd, error))
		return -1;
	failed = kernel_bpf__load(k->skel);
	if (failed && (kernel_types__join() || tracer__give_up_own_switches(&k->tracer, load))) {
		kernel_bpf__destroy(k->skel);
		goto again;
	}
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for its functions: %s.",
				  strerror(-failed));
	TRACER_BIND(&k->tracer, k->skel);
	if (view_hooks__run(&k->tracer.hooks, k->skel->obj, error))
		return -1;
	mechanism->inner_fd = bpf_map__fd(k->skel->maps.threads);
	return tracer__open(&k->tracer, mechanism, error);
}

static int functions__attach(struct mechanism *mechanism, struct error *error)
{
	struct kernel_functions *k = functions__of(mechanism);

	k->skel->bss->ended = k->skel->bss->unprepared = false;
	memset(k->skel->bss->passed, 0, sizeof(k->skel->bss->passed));
	tracer__reset(&k->tracer, mechanism->pid);
	if (k->tracer.view) {
		if ((k->tracer.cgroup || k->tracer.tree) && tracer__link(&k->tracer, k->skel->progs.sched_process_fork))
			return error__set(error, ERR_UNSUPPORTED, "The kernel refused an eBPF program on the tracepoint sched_process_fork: %s.",
					  strerror(errno));
		if (tracer__enter_view(&k->tracer, error))
			return -1;
		/* Threads that are made once it is in the view get their state as they are. */
		bpf_access__visit_tasks(k->skel->progs.prepare_threads);
		return 0;
	}
	if (functions__link(k, 0, mechanism->nr))
		return error__set(error, ERR_UNSUPPORTED,
				  "The kernel refused a probe on one of these functions (%.100s%s): %s.",
				  k->symbols[0], mechanism->nr > 1 ? " and others" : "", strerror(errno));
	return 0;
}

static int functions__begin(struct mechanism *mechanism, struct error *error)
{
	tracer__set_active(&functions__of(mechanism)->tracer, true);
	return 0;
}

static void functions__end(struct mechanism *mechanism)
{
	tracer__set_active(&functions__of(mechanism)->tracer, false);
}

static void functions__detach(struct mechanism *mechanism)
{
	struct kernel_functions *k = functions__of(mechanism);

	tracer__set_active(&k->tracer, false);
	tracer__stop(&k->tracer, &k->base.figures, k->skel->progs.count_running);
}

/* Their probes stay, count no more, and cost what others pay.  Calls that are under way are still timed. */
static int functions__drop(struct mechanism *mechanism, const uint32_t *dropped, size_t nr_dropped,
			   const uint32_t *kept, size_t nr_kept, struct error *error)
{
	uint32_t *off = functions__of(mechanism)->skel->bss->off;
	size_t i;

	for (i = 0; i < nr_dropped; i++)
		__atomic_fetch_or(&off[dropped[i] / 32], 1U << dropped[i] % 32, __ATOMIC_SEQ_CST);
	return 0;
}

static void functions__losses(const struct mechanism *mechanism, Kview__Wire__Losses *losses)
{
	tracer__losses(&functions__of(mechanism)->tracer, losses);
}

static int functions__exit_code(const struct mechanism *mechanism)
{
	return tracer__exit_code(&functions__of(mechanism)->tracer);
}

static void functions__describe(const struct mechanism *mechanism, size_t point,
				Kview__Wire__AttachedProbe *message)
{
	message->mechanism = KVIEW__WIRE__MECHANISM__MECHANISM_KERNEL_PROBE;
	message->call_cost_ns = functions__of(mechanism)->tracer.costs[0].call_ns;
}

static const struct mechanism_ops functions_ops = {
	.free = functions__free, .load = functions__load, .calibrate = functions__calibrate,
	.attach = functions__attach, .begin = functions__begin, .end = functions__end,
	.detach = functions__detach, .describe = functions__describe, .drop = functions__drop, .follow = functions__follow,
	.beside_ns = functions__beside_ns, .losses = functions__losses,
	.exit_code = functions__exit_code,
};

static bool functions__serve(const Kview__Wire__StartRecordingRequest *request,
			     const Kview__Wire__Probe *probe)
{
	return probe->point_case == KVIEW__WIRE__PROBE__POINT_KERNEL_FUNCTION;
}

/* The system call by which costs are measured. */
#ifdef __x86_64__
#define PRICED "__x64_sys_getppid"
#else
#define PRICED "__arm64_sys_getppid"
#endif

static int functions__add(struct kernel_functions *k, const char *name, struct error *error)
{
	size_t i, at = k->base.nr;
	char *label;

	for (i = 0; i < at; i++)
		if (!strcmp(k->symbols[i], name))
			return error__set(error, ERR_BAD_REQUEST, "The kernel function %.100s was chosen twice.", name);
	if (strpbrk(name, "*?[") || !*name)
		return error__set(error, ERR_BAD_REQUEST, "A kernel function is recorded by its exact name, not by %.100s.", name);
	label = malloc(sizeof(PREFIX) + strlen(name));
	if (!label)
		return error__set(error, ERR_FAILED, "Out of memory.");
	sprintf(label, PREFIX "%s", name);
	k->names[at] = label;
	k->symbols[at] = label + strlen(PREFIX);
	k->cookies[at] = at;
	k->base.nr++;
	return 0;
}

static struct mechanism *functions__find(const Kview__Wire__StartRecordingRequest *request,
					 struct error *error)
{
	struct kernel_functions *k;
	size_t nr = request->n_probes, i;

	if (permission__kernel_functions(error))
		return NULL;
	if (nr >= KF_MOST) {
		error__set(error, ERR_TOO_MANY, "%zu kernel functions are more than can be measured at a time, which are %u.",
			   nr, KF_MOST - 1);
		return NULL;
	}
	k = calloc(1, sizeof(*k));
	if (!k)
		goto no_memory;
	k->base.ops = &functions_ops;
	k->base.pid = request->pid;
	k->base.kind = "Functions of the kernel";
	k->base.is_inner = true;
	k->base.note = k->note;
	k->base.filter_note = k->filter_note;
	k->base.beside = "context switches and calls that are not measured any more";
	k->base.changes_fd = k->base.threads_fd = k->base.ring.fd = -1;
	k->names = calloc(nr, sizeof(*k->names));
	k->symbols = calloc(nr + 1, sizeof(*k->symbols));
	k->cookies = calloc(nr + 1, sizeof(*k->cookies));
	k->refused = calloc(nr, sizeof(*k->refused));
	k->hooked = calloc(nr, sizeof(*k->hooked));
	k->hooked_cookies = calloc(nr, sizeof(*k->hooked_cookies));
	if (!k->names || !k->symbols || !k->cookies || !k->refused || !k->hooked || !k->hooked_cookies)
		goto no_memory;
	k->base.names = k->names;
	for (i = 0; i < nr; i++)
		if (functions__add(k, request->probes[i]->kernel_function->name, error))
			goto fail;
	k->symbols[nr] = PRICED;
	k->cookies[nr] = nr;
	return &k->base;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	if (k)
		functions__free(&k->base);
	return NULL;
}

const struct mechanism_kind kernel_kind = { .serves = functions__serve, .find = functions__find };
