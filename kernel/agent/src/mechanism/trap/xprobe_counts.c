// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <bpf/bpf.h>

#include "mechanism/bpf_access.h"
#include "mechanism/trap/xprobe_state.h"

void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost)
{
	uint64_t most_ns = cost.call_ns + cost.call_spread_ns;

	xprobe->skel->bss->costs[class] = cost;
	if (most_ns > xprobe->skel->bss->most_probe_ns)
		xprobe->skel->bss->most_probe_ns = most_ns;
}

void xprobe__set_unmatched_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost)
{
	xprobe->skel->bss->unmatched_costs[class] = cost;
}

void xprobe__set_step_page_cost(struct xprobe *xprobe, struct xp_once cost)
{
	xprobe->skel->bss->step_page_cost = cost;
}

void xprobe__set_first_call_cost(struct xprobe *xprobe, uint64_t ns)
{
	xprobe->skel->bss->first_call_ns = ns;
}

enum xp_entry_class xprobe__entry_class(const struct fn_function *function)
{
	return function->entry_cost == FN_INSN_EMULATED ? XP_ENTRY_EMULATED : XP_ENTRY_STEPPED;
}

enum xp_exit_class xprobe__site_class(const struct fn_site *site)
{
	return site->cost == FN_INSN_EMULATED ? XP_EXIT_EMULATED : XP_EXIT_STEPPED;
}

enum xp_exit_class xprobe__exit_class(const struct fn_function *function)
{
	size_t i;

	if (function->exit_kind == FN_EXIT_URETPROBE)
		return XP_EXIT_URETPROBE;
	for (i = 0; i < function->nr_sites; i++)
		if (xprobe__site_class(&function->sites[i]) == XP_EXIT_STEPPED)
			return XP_EXIT_STEPPED;
	return XP_EXIT_EMULATED;
}

struct figures xprobe__figures(const struct xprobe *xprobe)
{
	return xprobe->counts;
}

uint32_t xprobe__first_spare(const struct xprobe *xprobe)
{
	return xprobe->nr_functions;
}

struct xp_counters xprobe__counters(const struct xprobe *xprobe)
{
	return xprobe->skel->bss->counters;
}

struct xp_switches xprobe__switches(const struct xprobe *xprobe)
{
	const volatile struct xp_switches *slots = xprobe->skel->bss->switches;
	struct xp_switches sum = { 0 };
	int slot, kind;

	for (slot = 0; slot < XP_SWITCH_SLOTS; slot++)
		for (kind = 0; kind < XP_SWITCH_KINDS; kind++)
			sum.nr[kind] += slots[slot].nr[kind];
	return sum;
}

uint64_t xprobe__missed_runs(const struct xprobe *xprobe)
{
	return bpf_access__missed_runs(xprobe->skel->obj);
}

struct xp_ways_in xprobe__ways_in(const struct xprobe *xprobe)
{
	return *(volatile struct xp_ways_in *)&xprobe->skel->bss->ways_in;
}

int xprobe__threads_fd(const struct xprobe *xprobe)
{
	return bpf_map__fd(xprobe->skel->maps.threads);
}

int xprobe__ring_fd(const struct xprobe *xprobe)
{
	return bpf_map__fd(xprobe->skel->maps.ring);
}

struct wait_maps xprobe__wait_maps(const struct xprobe *xprobe)
{
	return (struct wait_maps){
		.waits_fd = bpf_map__fd(xprobe->skel->maps.waits),
		.others_fd = bpf_map__fd(xprobe->skel->maps.other_waits),
		.stacks_fd = bpf_map__fd(xprobe->skel->maps.wait_stacks),
		.files_fd = bpf_map__fd(xprobe->skel->maps.wait_files),
		.user_stacks_fd = bpf_map__fd(xprobe->skel->maps.user_stacks),
		.code_fd = bpf_map__fd(xprobe->skel->maps.process_code),
	};
}

const uint64_t *xprobe__events_dropped(const struct xprobe *xprobe)
{
	return (const uint64_t *)xprobe->skel->bss->events_dropped;
}

bool xprobe__has_lost_process(const struct xprobe *xprobe)
{
	return __atomic_load_n(&xprobe->skel->bss->process_lost, __ATOMIC_SEQ_CST);
}

bool xprobe__is_by_thread(const struct xprobe *xprobe)
{
	return xprobe->links_kind == LINKS_SINGLE;
}

int xprobe__leader_exit_code(const struct xprobe *xprobe)
{
	return *(volatile int *)&xprobe->skel->data->leader_exit_code;
}

void xprobe__reset_counters(struct xprobe *xprobe)
{
	memset(&xprobe->skel->bss->counters, 0, sizeof(xprobe->skel->bss->counters));
	memset(xprobe->skel->bss->switches, 0, sizeof(xprobe->skel->bss->switches));
	memset(xprobe->skel->bss->events_dropped, 0, sizeof(xprobe->skel->bss->events_dropped));
}

uint32_t xprobe__code_to_prove(const struct xprobe *xprobe)
{
	struct xprobe_bpf *skel = xprobe->skel;
	uint32_t version = __atomic_load_n(&skel->data->code_version, __ATOMIC_SEQ_CST);
	bool settled = __atomic_load_n(&skel->data->settled_code, __ATOMIC_SEQ_CST) == version;

	return settled && skel->bss->proven_code != version ? version : 0;
}

void xprobe__prove_code(struct xprobe *xprobe, uint32_t version)
{
	__atomic_store_n(&xprobe->skel->bss->proven_code, version, __ATOMIC_SEQ_CST);
}

void xprobe__force_returns(struct xprobe *xprobe, bool force)
{
	xprobe->skel->bss->returns_forced = force;
}

bool xprobe__asks_at_entry(const struct xprobe *xprobe)
{
	return xprobe->links_kind == LINKS_WHOLE;
}

bool xprobe__has_executed(const struct xprobe *xprobe)
{
	return __atomic_load_n(&xprobe->skel->bss->has_executed, __ATOMIC_SEQ_CST);
}
