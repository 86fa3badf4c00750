// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <bpf/bpf.h>

#include "mechanism/trap/xprobe_state.h"

void xprobe__set_cost(struct xprobe *xprobe, uint32_t class, struct xp_cost cost)
{
	xprobe->skel->bss->costs[class] = cost;
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

struct xprobe_counts xprobe__counts(const struct xprobe *xprobe)
{
	return xprobe->counts;
}

size_t xprobe_counts__index(const struct xprobe_counts *counts, uint32_t slot, size_t function)
{
	return (size_t)slot * counts->functions + function;
}

uint32_t xprobe_counts__places(const struct xprobe_counts *counts, int metric)
{
	return metric <= XP_ON_CPU ? 2 * counts->slots : counts->slots;
}

size_t xprobe_counts__place(const struct xprobe_counts *counts, size_t function, int metric,
			    uint32_t place)
{
	int set = place < counts->slots ? metric : XP_UNDIVIDED;

	return xprobe_counts__index(counts, place % counts->slots, function) * XP_SETS + set;
}

static uint64_t slot__ended(const struct xprobe_counts *counts, uint32_t slot, size_t function)
{
	const volatile __u64 *ended =
		counts->calls[xprobe_counts__index(counts, slot, function)].ended;
	uint64_t sum = 0;
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++)
		sum += ended[class];
	return sum;
}

uint64_t xprobe_counts__timed(const struct xprobe_counts *counts, size_t function)
{
	uint64_t sum = 0;
	uint32_t slot;

	for (slot = 0; slot < counts->slots; slot++)
		sum += slot__ended(counts, slot, function);
	return sum;
}

bool xprobe_counts__is_used(const struct xprobe_counts *counts, size_t function, int metric,
			    uint32_t place)
{
	if (place >= counts->slots)
		return slot__ended(counts, place - counts->slots, function);
	return counts->totals[xprobe_counts__place(counts, function, metric, place)].count;
}

/* What the kernel does just before and behind a trap counts as the program's. */
#define UNSEEN_OF_WAITS	8

/*
 * How many of the times that a thread lost its CPU fell into a trap is chance, as with coins: twice
 * the deviation of that.  And some that a trap was the reason of are met right behind it.
 */
static uint64_t waits__error_ns(uint64_t waited_ns, uint64_t squares)
{
	uint64_t root = 0, bit;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= squares)
			root |= bit;
	return 2 * XP_SQUARE_NS * root + waited_ns / UNSEEN_OF_WAITS;
}

/* What the calls that ended have by their class, which the programs leave to be added. */
static void calls__add_costs(struct xp_calls *sum, const struct xp_cost *costs)
{
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++) {
		uint64_t ended = sum->ended[class];

		sum->removed_ns += ended * costs[class].inner_ns;
		sum->uncertain_ns += ended * costs[class].inner_spread_ns;
		sum->cost_ns += ended * costs[class].likely_ns;
	}
	sum->removed_ns -= sum->missing_ns;
	sum->uncertain_ns += sum->missing_ns + waits__error_ns(sum->waited_ns, sum->waited_squares);
}

struct xp_calls xprobe_counts__calls(const struct xprobe_counts *counts, size_t function)
{
	const size_t numbers = sizeof(struct xp_calls) / sizeof(__u64);
	struct xp_calls sum = { 0 };
	__u64 *sums = (__u64 *)&sum;
	uint32_t slot;
	size_t i;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls =
			&counts->calls[xprobe_counts__index(counts, slot, function)];

		/* calls is the first one: no call is counted twice and not once. */
		for (i = numbers; i--; )
			sums[i] += ((const volatile __u64 *)calls)[i];
	}
	calls__add_costs(&sum, counts->costs);
	return sum;
}

struct xp_total xprobe_counts__total(const struct xprobe_counts *counts, size_t function,
				     int metric)
{
	uint32_t places = xprobe_counts__places(counts, metric), place;
	struct xp_total sum = { 0 };
	bool is_ended = metric <= XP_ON_CPU;

	if (is_ended)
		sum.count = xprobe_counts__timed(counts, function);
	for (place = 0; place < places; place++) {
		const volatile struct xp_total *total =
			&counts->totals[xprobe_counts__place(counts, function, metric, place)];

		if (!is_ended)
			sum.count += total->count;
		sum.total_ns += total->total_ns;
		if (total->max_ns > sum.max_ns)
			sum.max_ns = total->max_ns;
	}
	return sum;
}

uint64_t xprobe_counts__ended_ns(const struct xprobe_counts *counts, size_t function)
{
	uint64_t ns = 0;
	uint32_t slot, class;

	for (slot = 0; slot < counts->slots; slot++)
		for (class = 0; class < XP_COST_CALLS; class++)
			ns += counts->calls[xprobe_counts__index(counts, slot, function)].ended[class] *
			      counts->costs[class].likely_ns;
	return ns;
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
	memset(xprobe->skel->bss->events_dropped, 0, sizeof(xprobe->skel->bss->events_dropped));
}

uint64_t xprobe__begin_ns(const struct xprobe *xprobe)
{
	return xprobe->begin_ns;
}

uint64_t xprobe__end_ns(const struct xprobe *xprobe)
{
	return xprobe->end_ns;
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

bool xprobe__has_executed(const struct xprobe *xprobe)
{
	return __atomic_load_n(&xprobe->skel->bss->has_executed, __ATOMIC_SEQ_CST);
}
