// SPDX-License-Identifier: GPL-2.0
/* Recordings of kernel functions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "mechanism/bpf_access.h"
#include "mechanism/call_cost.h"
#include "mechanism/causes.h"
#include "mechanism/kernel/bpf/kernel.h"
#include "mechanism/kernel/kernel.h"
#include "mechanism/kernel/ways.h"
#include "mechanism/tracer.h"
#include "permission/permission.h"

/* Behind the layouts that it is made of. */
#include "kernel.skel.h"

#define PREFIX "kernel:"
#define FILTER_NOTE "Filtered in the eBPF programs, which other processes pass: at each of their calls of these kernel functions%s, and at each of their context switches%s."

struct kernel_functions {
	struct mechanism base;
	struct tracer tracer;
	struct kernel_bpf *skel;
	const char **names;		/* by point, with the prefix; base.names */
	const char **symbols;		/* the same without it, and one for the costs */
	__u64 *cookies;
	double passed_ns;		/* what a call costs that is not measured */
	char note[512], filter_note[256];
};

static struct kernel_functions *functions__of(const struct mechanism *mechanism)
{
	return (struct kernel_functions *)mechanism;
}

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
	free(k);
}

static int functions__load(struct mechanism *mechanism, const struct mechanism_load *load,
			   struct error *error)
{
	struct kernel_functions *k = functions__of(mechanism);
	int failed;

	if (load->threads_fd >= 0)
		return error__set(error, ERR_UNSUPPORTED,
				  "Functions of the kernel can't be measured in one recording with others: record them by themselves.");
	if (tracer__plan(&k->tracer, load, mechanism->nr, "kernel functions", error))
		return -1;
	if (kernel_probes__try(error))
		return -1;
	k->skel = kernel_bpf__open();
	if (!k->skel)
		return error__set(error, ERR_FAILED, "Out of memory.");
	TRACER_CHOOSE(&k->tracer, k->skel);
	failed = kernel_bpf__load(k->skel);
	if (failed)
		return error__set(error, failed == -EPERM || failed == -EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
				  "The kernel refused the eBPF programs for its functions: %s.",
				  strerror(-failed));
	TRACER_BIND(&k->tracer, k->skel);
	return tracer__open(&k->tracer, mechanism, error);
}

/* Some of them by one request. */
static int functions__probe(struct kernel_functions *k, struct bpf_program *program, bool at_return,
			    size_t first, size_t nr)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .syms = k->symbols + first,
		    .cookies = k->cookies + first, .cnt = nr, .retprobe = at_return);

	return tracer__add_link(&k->tracer, bpf_program__attach_kprobe_multi_opts(program, NULL, &opts));
}

/* What begins calls comes last.  Returns 0, or -1 with errno and nothing attached. */
static int functions__link(struct kernel_functions *k, size_t first, size_t nr)
{
	int failed;

	if (!tracer__link_scheduler(&k->tracer) &&
	    !tracer__link(&k->tracer, k->skel->progs.sched_process_fork) &&
	    !tracer__link(&k->tracer, k->skel->progs.sched_process_exit)) {
		/* Those that are made from now on get their state as they are. */
		bpf_access__visit_tasks(k->skel->progs.prepare_threads);
		if (!functions__probe(k, k->skel->progs.function_return, true, first, nr) &&
		    !functions__probe(k, k->skel->progs.function_entry, false, first, nr))
			return 0;
	}
	failed = errno;
	tracer__unlink(&k->tracer);
	errno = failed;
	return -1;
}

static int cost__attach(void *context)
{
	struct kernel_functions *k = context;

	if (functions__link(k, k->base.nr, 1))
		return -1;
	tracer__set_active(&k->tracer, true);
	return 0;
}

static void cost__detach(void *context)
{
	struct kernel_functions *k = context;

	tracer__set_active(&k->tracer, false);
	tracer__unlink(&k->tracer);
}

/* What others pay, as the agent's own process is here. */
static void functions__price_for_others(struct kernel_functions *k)
{
	char call[64] = "", of_switch[64] = "";
	struct xp_cost cost;
	uint64_t ns;

	*k->tracer.target_tgid = 0;
	if (!call_cost__measure(&cost, cost__attach, cost__detach, k)) {
		k->passed_ns = cost.call_ns;
		snprintf(call, sizeof(call), ", which took %llu to %llu ns longer here", cost.call_ns,
			 cost.call_ns + cost.call_spread_ns);
	}
	if (!tracer__price_others_switches(&k->tracer, &ns))
		snprintf(of_switch, sizeof(of_switch), ", %llu ns", (unsigned long long)ns);
	snprintf(k->filter_note, sizeof(k->filter_note), FILTER_NOTE, call, of_switch);
}

static void functions__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct kernel_functions *k = functions__of(mechanism);
	struct bpf_map *states[] = { k->skel->maps.threads, k->skel->maps.open_calls };
	struct xp_cost cost = { 0 };

	*k->tracer.target_tgid = getpid();
	tracer__price_switches(&k->tracer, XP_SWITCH_PLAIN);
	if (call_cost__measure(&cost, cost__attach, cost__detach, k))
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call could not be measured: %s.",
			 strerror(errno));
	else if (figures__calls(&mechanism->figures, mechanism->nr).calls != CALL_COST_MADE)
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call is not known: the agent's own calls were not seen.");
	else
		k->tracer.costs[0] = cost;
	tracer__price_switches(&k->tracer, XP_SWITCH_FOLLOWED);
	tracer__forget_agent(&k->tracer, states, 2);
	functions__price_for_others(k);
}

static int functions__attach(struct mechanism *mechanism, struct error *error)
{
	struct kernel_functions *k = functions__of(mechanism);

	k->skel->bss->ended = false;
	memset(k->skel->bss->passed, 0, sizeof(k->skel->bss->passed));
	tracer__reset(&k->tracer, mechanism->pid);
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
	tracer__stop(&k->tracer, k->skel->progs.count_running);
}

static uint64_t functions__beside_ns(const struct mechanism *mechanism)
{
	const struct kernel_functions *k = functions__of(mechanism);
	const volatile struct kf_passed *passed = k->skel->bss->passed;
	double ns = tracer__switches_ns(&k->tracer);
	int slot;

	for (slot = 0; slot < KF_SLOTS; slot++)
		ns += passed[slot].nr * k->passed_ns;
	return ns;
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
	.detach = functions__detach, .describe = functions__describe, .drop = functions__drop,
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
	k->base.note = k->note;
	k->base.filter_note = k->filter_note;
	k->base.beside = "context switches and calls that are not measured any more";
	k->base.changes_fd = k->base.threads_fd = k->base.ring.fd = -1;
	k->names = calloc(nr, sizeof(*k->names));
	k->symbols = calloc(nr + 1, sizeof(*k->symbols));
	k->cookies = calloc(nr + 1, sizeof(*k->cookies));
	if (!k->names || !k->symbols || !k->cookies)
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
