// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <bpf/bpf.h>

#include "xprobe_state.h"

void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost)
{
	xprobe->skel->bss->costs[class] = cost;
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

struct xprobe_counts xprobe__counts(const struct xprobe *xprobe)
{
	return xprobe->counts;
}

size_t xprobe_counts__index(const struct xprobe_counts *counts, uint32_t slot, size_t function)
{
	return (size_t)slot * counts->functions + function;
}

struct xp_calls xprobe_counts__calls(const struct xprobe_counts *counts, size_t function)
{
	const size_t numbers = sizeof(struct xp_calls) / sizeof(uint64_t);
	struct xp_calls sum = { 0 };
	uint64_t *sums = (uint64_t *)&sum;
	uint32_t slot;
	size_t i;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls =
			&counts->calls[xprobe_counts__index(counts, slot, function)];

		/* calls is the first one: no call is counted twice and not once. */
		for (i = numbers; i--; )
			sums[i] += ((const volatile uint64_t *)calls)[i];
	}
	return sum;
}

uint64_t xprobe_counts__timed(const struct xprobe_counts *counts, size_t function)
{
	uint64_t timed = 0;
	uint32_t slot;

	for (slot = 0; slot < counts->slots; slot++) {
		size_t index = xprobe_counts__index(counts, slot, function) * XP_METRICS + XP_WALL;

		timed += ((const volatile struct xp_total *)counts->totals)[index].count;
	}
	return timed;
}

struct xp_counters xprobe__counters(const struct xprobe *xprobe)
{
	return xprobe->skel->bss->counters;
}

uint64_t xprobe__missed_runs(const struct xprobe *xprobe)
{
	struct bpf_program *program;
	uint64_t missed = 0;

	bpf_object__for_each_program(program, xprobe->skel->obj) {
		struct bpf_prog_info info = { 0 };
		uint32_t length = sizeof(info);

		if (bpf_program__fd(program) >= 0 &&
		    !bpf_prog_get_info_by_fd(bpf_program__fd(program), &info, &length))
			missed += info.recursion_misses;
	}
	return missed;
}

int xprobe__ring_fd(const struct xprobe *xprobe)
{
	return bpf_map__fd(xprobe->skel->maps.ring);
}

const uint64_t *xprobe__events_dropped(const struct xprobe *xprobe)
{
	return (const uint64_t *)xprobe->skel->bss->events_dropped;
}

int xprobe__leader_exit_code(const struct xprobe *xprobe)
{
	return *(volatile int *)&xprobe->skel->data->leader_exit_code;
}

void xprobe__reset_counters(struct xprobe *xprobe)
{
	memset(&xprobe->skel->bss->counters, 0, sizeof(xprobe->skel->bss->counters));
	memset(xprobe->skel->bss->events_dropped, 0, sizeof(xprobe->skel->bss->events_dropped));
}
