// SPDX-License-Identifier: GPL-2.0
/* What measuring costs: the traced process, and others. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/bpf_access.h"
#include "mechanism/call_cost.h"
#include "mechanism/kernel/state.h"
#include "mechanism/switch_cost.h"

#define FILTER_NOTE "Filtered in the eBPF programs, which other processes pass: at each of their calls of these kernel functions%s, and at each of their context switches%s."
#define VIEW_NOTE "Functions of the kernel are measured in the process's own view of it: other processes run none of its instructions, but for %s not counted. Who woke a thread is not seen."

/* The agent itself in a view with some of the functions. */
static int view__attach(struct kernel_functions *k, size_t first, size_t nr)
{
	int self = syscall(SYS_pidfd_open, getpid(), 0), result = -1;

	if (!function_view__make(&k->priced, k->module, k->symbols + first, nr, NULL) &&
	    !function_view__run(&k->priced, k->skel, k->cookies + first, NULL) &&
	    !process_view__enter(&k->priced.base, getpid(), self, NULL)) {
		if (nr)
			bpf_access__visit_tasks(k->skel->progs.prepare_threads);
		result = 0;
	} else {
		function_view__close(&k->priced);
	}
	close(self);
	return result;
}

static int cost__attach(void *context)
{
	struct kernel_functions *k = context;

	if (k->way == KERNEL_WAY_VIEW ? view__attach(k, k->base.nr, 1) : functions__link(k, k->base.nr, 1))
		return -1;
	tracer__set_active(&k->tracer, true);
	return 0;
}

static void cost__detach(void *context)
{
	struct kernel_functions *k = context;

	tracer__set_active(&k->tracer, false);
	function_view__close(&k->priced);
	tracer__unlink(&k->tracer);
}

static int view_scheduler__attach(void *context)
{
	return view__attach(context, 0, 0);
}

static void view_scheduler__detach(void *context)
{
	function_view__close(&((struct kernel_functions *)context)->priced);
}

/* The agent leaves its CPU in its view to another process of its own, that is in none, and comes back. */
static void functions__price_switches(struct kernel_functions *k, enum xp_switch kind)
{
	uint64_t ns;

	if (k->way != KERNEL_WAY_VIEW)
		tracer__price_switches(&k->tracer, kind);
	else if (!switch_cost__measure(&ns, view_scheduler__attach, view_scheduler__detach, k))
		k->tracer.switch_ns[kind] = 2 * ns;
}

/* What calls cost that are not measured: others', as the agent's own process is here, and in a view the process's own. */
static void functions__price_for_others(struct kernel_functions *k)
{
	char call[64] = "", of_switch[64] = "";
	struct kview_info module = { 0 };
	struct xp_cost cost;
	uint64_t made, ns;

	*k->tracer.target_tgid = 0;
	if (!call_cost__measure(&cost, &made, cost__attach, cost__detach, k)) {
		k->passed_ns = cost.call_ns;
		snprintf(call, sizeof(call), ", which took %llu to %llu ns longer here", cost.call_ns,
			 cost.call_ns + cost.call_spread_ns);
	}
	if (k->way == KERNEL_WAY_VIEW) {
		kview__info(k->module, &module);
		snprintf(k->filter_note, sizeof(k->filter_note), VIEW_NOTE, module.features & KVIEW_FEATURE_VFORK ?
			 "a child by vfork or posix_spawn until its execve, which is" :
			 "programs that the process starts by vfork or posix_spawn, which are");
		return;
	}
	if (!tracer__price_others_switches(&k->tracer, &ns))
		snprintf(of_switch, sizeof(of_switch), ", %llu ns", (unsigned long long)ns);
	snprintf(k->filter_note, sizeof(k->filter_note), FILTER_NOTE "%s", call, of_switch, k->why);
}

void functions__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct kernel_functions *k = functions__of(mechanism);
	struct bpf_map *states[] = { k->skel->maps.threads, k->skel->maps.open_calls };
	struct xp_cost cost = { 0 };
	uint64_t made;

	*k->tracer.target_tgid = getpid();
	functions__price_switches(k, XP_SWITCH_PLAIN);
	if (call_cost__measure(&cost, &made, cost__attach, cost__detach, k))
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call could not be measured: %s.",
			 strerror(errno));
	else if (figures__calls(&mechanism->figures, mechanism->nr).calls != made)
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call is not known: the agent's own calls were not seen.");
	else
		k->tracer.costs[0] = cost;
	functions__price_switches(k, XP_SWITCH_FOLLOWED);
	tracer__forget_agent(&k->tracer, states, 2);
	functions__price_for_others(k);
}

uint64_t functions__beside_ns(const struct mechanism *mechanism)
{
	const struct kernel_functions *k = functions__of(mechanism);
	const volatile struct kf_passed *passed = k->skel->bss->passed;
	double ns = tracer__switches_ns(&k->tracer);
	int slot;

	for (slot = 0; slot < KF_SLOTS; slot++)
		ns += passed[slot].nr * k->passed_ns;
	return ns;
}
