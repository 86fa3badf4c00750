// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <sys/sysinfo.h>

#include "base/loop.h"
#include "mechanism/figures.h"

int figures__begin(struct figures *counts, uint64_t now_ns)
{
	size_t i;

	counts->cold = calloc(counts->functions + 1, sizeof(*counts->cold));
	if (!counts->cold)
		return -1;
	for (i = 0; i < counts->functions; i++)
		counts->cold[i].looked_ns = now_ns;
	return 0;
}

void figures__end(struct figures *counts)
{
	free(counts->cold);
	counts->cold = NULL;
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

/* Since the last look each CPU that the threads can have had can have made its caches cold so often, and once before. */
static uint64_t calls__cold(struct figures_cold *cold, uint64_t ended, uint64_t threads, uint64_t cold_every_ns)
{
	uint64_t now_ns = clock__now_ns(), cpus = get_nprocs_conf(), more = ended - cold->ended, most;

	if (threads && threads < cpus)
		cpus = threads;
	most = ((now_ns - cold->looked_ns) / cold_every_ns + 1) * cpus;
	cold->cold += more < most ? more : most;
	cold->ended = ended;
	cold->looked_ns = now_ns;
	return cold->cold;
}

/* What ended calls cost, by class. */
static uint64_t calls__ended_ns(const struct figures *counts, size_t function, const __u64 *ended, uint64_t threads)
{
	uint64_t ns = 0;
	uint32_t class;

	for (class = 0; class < XP_COST_CALLS; class++) {
		const struct xp_cost *cost = &counts->costs[class];
		uint64_t cold = ended[class];

		if (!cold)
			continue;
		/* Then all calls of the function are of one class. */
		if (cost->cold_every_ns && counts->cold)
			cold = calls__cold(&counts->cold[function], cold, threads, cost->cold_every_ns);
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
	struct xp_calls sum = { 0 };
	__u64 *sums = (__u64 *)&sum;
	uint32_t slot;
	size_t i;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls =
			&counts->calls[figures__index(counts, slot, function)];

		/* Last to first: calls is read last, so no call that has ended is missing from it. */
		for (i = numbers; i--; )
			sums[i] += ((const volatile __u64 *)calls)[i];
	}
	sum.cost_ns += calls__ended_ns(counts, function, sum.ended, sum.threads) + sum.rested_ns;
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
	__u64 ended[XP_COST_CALLS] = { 0 };
	uint64_t rested_ns = 0;
	uint32_t slot, class;

	for (slot = 0; slot < counts->slots; slot++) {
		const struct xp_calls *calls = &counts->calls[figures__index(counts, slot, function)];

		for (class = 0; class < XP_COST_CALLS; class++)
			ended[class] += calls->ended[class];
		rested_ns += calls->rested_ns;
	}
	return calls__ended_ns(counts, function, ended, 0) + rested_ns;
}
