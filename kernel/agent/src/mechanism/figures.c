// SPDX-License-Identifier: GPL-2.0
#include <sys/sysinfo.h>

#include "base/loop.h"
#include "mechanism/figures.h"

void figures__begin(struct figures *counts, uint64_t now_ns)
{
	counts->begin_ns = now_ns;
	counts->end_ns = 0;
	counts->cpus = counts->slots ? (get_nprocs_conf() + counts->slots - 1) / counts->slots : 0;
}

uint64_t figures__slot_bytes(size_t functions)
{
	return functions * (sizeof(struct xp_calls) +
			    XP_SETS * (sizeof(struct xp_buckets) + sizeof(struct xp_total)));
}

size_t figures__index(const struct figures *counts, uint32_t slot, size_t function)
{
	return (size_t)slot * counts->functions + function;
}

uint32_t figures__places(const struct figures *counts, int metric)
{
	return metric <= XP_ON_CPU ? 2 * counts->slots : counts->slots;
}

size_t figures__place(const struct figures *counts, size_t function, int metric, uint32_t place)
{
	int set = place < counts->slots ? metric : XP_UNDIVIDED;

	return figures__index(counts, place % counts->slots, function) * XP_SETS + set;
}

static uint64_t slot__ended(const struct figures *counts, uint32_t slot, size_t function)
{
	const volatile __u64 *ended =
		counts->calls[figures__index(counts, slot, function)].ended;
	uint64_t sum = 0;
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++)
		sum += ended[class];
	return sum;
}

uint64_t figures__timed(const struct figures *counts, size_t function)
{
	uint64_t sum = 0;
	uint32_t slot;

	for (slot = 0; slot < counts->slots; slot++)
		sum += slot__ended(counts, slot, function);
	return sum;
}

uint64_t figures__lost(const struct xp_calls *calls)
{
	uint64_t sum = 0;
	int way;

	for (way = 0; way < XP_LOST_WAYS; way++)
		sum += calls->lost[way];
	return sum;
}

int64_t figures__open(const struct xp_calls *calls, uint64_t timed)
{
	return calls->calls - (timed + calls->abandoned + calls->unfinished + figures__lost(calls));
}

uint64_t figures__failed(const struct figures *counts, size_t function, uint32_t place)
{
	uint64_t sum = 0;
	uint32_t slot;

	for (slot = 0; counts->failed && slot < counts->slots; slot++)
		sum += ((const volatile uint64_t *)counts->failed)
			[figures__index(counts, slot, function) * XP_FAILED_PLACES + place];
	return sum;
}

bool figures__is_used(const struct figures *counts, size_t function, int metric, uint32_t place)
{
	if (place >= counts->slots)
		return slot__ended(counts, place - counts->slots, function);
	return counts->totals[figures__place(counts, function, metric, place)].count;
}

/*
 * What the kernel does just before and after a trap counts as the program's own time.  One part in
 * this many of the waits is added to their error for it.
 */
#define UNSEEN_OF_WAITS	8

/*
 * A thread loses its CPU at random moments, so how often this happens within a trap is random, too.
 * The error is twice the standard deviation of that, and an allowance for switches that a trap
 * caused but that happen just after it.  With lazy preemption the thread runs on until its next
 * trap, so the moments are not random: then all of the removed time may be wrong.
 */
static uint64_t waits__error_ns(uint64_t waited_ns, uint64_t squares, bool may_be_its_own)
{
	uint64_t root = 0, bit, error_ns;

	for (bit = 1ULL << 31; bit; bit >>= 1)
		if ((root | bit) * (root | bit) <= squares)
			root |= bit;
	error_ns = 2 * XP_SQUARE_NS * root + waited_ns / UNSEEN_OF_WAITS;
	return may_be_its_own && error_ns < waited_ns ? waited_ns : error_ns;
}

/* Calls that may have found cold caches, of a slot's that ended. */
static uint64_t slot__cold(const struct figures *counts, const struct xp_cost *cost, uint64_t ended)
{
	uint64_t end_ns = counts->end_ns ? counts->end_ns : clock__now_ns(), most;

	if (!cost->cold_every_ns)
		return ended;
	most = counts->begin_ns ? (end_ns - counts->begin_ns) / cost->cold_every_ns * counts->cpus : 0;
	return ended < most ? ended : most;
}

static uint64_t slot__ended_ns(const struct figures *counts, const __u64 *ended)
{
	uint64_t ns = 0;
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++) {
		const struct xp_cost *cost = &counts->costs[class];
		uint64_t cold;

		if (!ended[class])
			continue;
		cold = slot__cold(counts, cost, ended[class]);
		ns += (ended[class] - cold) * cost->call_ns + cold * cost->likely_ns;
	}
	return ns;
}

/*
 * Adds what follows from the classes of the ended calls.  The eBPF programs leave this out, because
 * it is just a count times a constant.
 */
static void calls__correct(struct xp_calls *sum, const struct figures *counts)
{
	const struct xp_cost *costs = counts->costs;
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++) {
		sum->removed_ns += sum->ended[class] * costs[class].inner_ns;
		sum->uncertain_ns += sum->ended[class] * costs[class].inner_spread_ns;
	}
	sum->removed_ns -= sum->missing_ns;
	sum->uncertain_ns += sum->missing_ns + waits__error_ns(sum->waited_ns, sum->waited_squares,
								counts->waits_may_be_its_own);
}

struct xp_calls figures__calls(const struct figures *counts, size_t function)
{
	const size_t numbers = sizeof(struct xp_calls) / sizeof(__u64);
	struct xp_calls sum = { 0 }, slot_sum;
	__u64 *sums = (__u64 *)&sum, *own = (__u64 *)&slot_sum;
	uint32_t slot;
	size_t i;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls =
			&counts->calls[figures__index(counts, slot, function)];

		/* Last to first: calls is read last, so no call that has ended is missing from it. */
		for (i = numbers; i--; ) {
			own[i] = ((const volatile __u64 *)calls)[i];
			sums[i] += own[i];
		}
		sum.cost_ns += slot__ended_ns(counts, slot_sum.ended);
	}
	calls__correct(&sum, counts);
	return sum;
}

struct xp_total figures__total(const struct figures *counts, size_t function, int metric)
{
	uint32_t places = figures__places(counts, metric), place;
	struct xp_total sum = { 0 };
	bool is_ended = metric <= XP_ON_CPU;

	if (is_ended)
		sum.count = figures__timed(counts, function);
	for (place = 0; place < places; place++) {
		const volatile struct xp_total *total =
			&counts->totals[figures__place(counts, function, metric, place)];

		if (!is_ended)
			sum.count += total->count;
		sum.total_ns += total->total_ns;
		if (total->max_ns > sum.max_ns)
			sum.max_ns = total->max_ns;
	}
	return sum;
}

uint64_t figures__ended_ns(const struct figures *counts, size_t function)
{
	uint64_t ns = 0;
	uint32_t slot;

	for (slot = 0; slot < counts->slots; slot++)
		ns += slot__ended_ns(counts, counts->calls[figures__index(counts, slot, function)].ended);
	return ns;
}
