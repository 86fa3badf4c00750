// SPDX-License-Identifier: GPL-2.0
/* What measuring costs: the traced process, and others. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "mechanism/bpf_access.h"
#include "mechanism/cost/call_cost.h"
#include "mechanism/kernel/state.h"
#include "mechanism/shared_view.h"

#define FILTER_NOTE "Filtered in the eBPF programs, which other processes pass: at each of their calls of these kernel functions%s, and at each of their context switches%s."
#define OWN_NOTE "Filtered in the eBPF programs, which other processes pass at each of their calls of these kernel functions%s. " OWN_SWITCHES_NOTE

static int view__attach(struct kernel_functions *k)
{
	if (priced_view__enter(&k->priced, k->tracer.view->module, k->skel->obj, true, functions__hook_priced, k))
		return -1;
	bpf_access__visit_tasks(k->skel->progs.prepare_threads);
	return 0;
}

static int cost__attach(void *context)
{
	struct kernel_functions *k = context;

	if (k->tracer.view ? view__attach(k) : functions__link(k, k->base.nr, 1))
		return -1;
	tracer__set_active(&k->tracer, true);
	return 0;
}

static void cost__detach(void *context)
{
	struct kernel_functions *k = context;

	tracer__set_active(&k->tracer, false);
	priced_view__leave(&k->priced);
	tracer__unlink(&k->tracer);
}

/* What calls cost that are not measured: others', as the agent's own process is here, and in a view the process's own. */
static void functions__price_for_others(struct kernel_functions *k)
{
	char call[64] = "", of_switch[64] = "";
	struct xp_cost cost;
	uint64_t made, ns;

	*k->tracer.target_tgid = 0;
	if (!call_cost__measure(&cost, &made, cost__attach, cost__detach, k)) {
		k->passed_ns = cost.call_ns;
		snprintf(call, sizeof(call), ", which took %llu to %llu ns longer here", cost.call_ns,
			 cost.call_ns + cost.call_spread_ns);
	}
	if (k->tracer.view)
		return;
	if (k->tracer.own_switches) {
		snprintf(k->filter_note, sizeof(k->filter_note), OWN_NOTE, call);
		return;
	}
	if (!tracer__price_others_switches(&k->tracer, &ns))
		snprintf(of_switch, sizeof(of_switch), ", %llu ns", (unsigned long long)ns);
	snprintf(k->filter_note, sizeof(k->filter_note), FILTER_NOTE, call, of_switch);
	own_switches__tell_why(k->tracer.why_host, k->filter_note, sizeof(k->filter_note));
}

void functions__calibrate(struct mechanism *mechanism, struct calibration *latest)
{
	struct kernel_functions *k = functions__of(mechanism);
	struct bpf_map *states[] = { k->skel->maps.threads, k->skel->maps.open_calls };
	struct xp_cost cost = { 0 };
	uint64_t made;

	*k->tracer.target_tgid = getpid();
	tracer__price_switches(&k->tracer, XP_SWITCH_PLAIN);
	if (call_cost__measure(&cost, &made, cost__attach, cost__detach, k))
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call could not be measured: %s.",
			 strerror(errno));
	else if (figures__calls(&mechanism->figures, mechanism->nr).calls != made)
		snprintf(k->note, sizeof(k->note), "What measuring adds to a call is not known: the agent's own calls were not seen.");
	else
		k->tracer.costs[0] = cost;
	if (*k->note)
		call_cost__assume(&k->tracer.costs[0], k->note, sizeof(k->note));
	tracer__price_switches(&k->tracer, XP_SWITCH_FOLLOWED);
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
