// SPDX-License-Identifier: GPL-2.0
#include "place/image.h"

#include <string.h>

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + JUMP_PAGE - 1) / JUMP_PAGE * JUMP_PAGE;
}

static uint64_t sets_bytes(uint32_t sets)
{
	return sizeof(struct jump_shared) + sets * sizeof(struct jump_set);
}

/* Up to the figures. */
static uint64_t places_bytes(uint32_t sets)
{
	return sets_bytes(sets) + JUMP_THREAD_SLOTS * sizeof(struct jump_thread);
}

/* Up to the rings. */
static uint64_t figures_bytes(const struct shared_layout *layout)
{
	return whole_pages(places_bytes(layout->sets) +
			   (uint64_t)layout->functions * layout->shards * sizeof(struct jump_figures));
}

/* With a byte for each slot behind the last one. */
static uint64_t ring_bytes(const struct shared_layout *layout)
{
	return whole_pages(sizeof(struct jump_ring) + layout->slots * (sizeof(struct jump_ring_slot) + 1ull));
}

size_t shared__bytes(const struct shared_layout *layout)
{
	return figures_bytes(layout) + layout->rings * ring_bytes(layout);
}

struct jump_ring *shared__ring(struct jump_shared *shared, const struct shared_layout *layout, uint32_t number)
{
	return (void *)((char *)shared + figures_bytes(layout) + number * ring_bytes(layout));
}

void shared__init(struct jump_shared *shared, const struct shared_layout *layout, const struct shared_costs *costs)
{
	shared->rate = costs->rate;
	shared->inner = costs->inner;
	shared->call = costs->call;
	shared->threads = sets_bytes(layout->sets);
	shared->shift = 32 - __builtin_ctz(layout->sets);
	shared->shard_mask = layout->shards - 1;
	shared->figures = places_bytes(layout->sets);
	if (!layout->rings)
		return;
	shared->rings = figures_bytes(layout);
	shared->ring_bytes = ring_bytes(layout);
	shared->ring_slots = layout->slots;
	shared->ring_mask = layout->rings - 1;
}

void shared__use_clocks(struct jump_shared *shared, uint64_t clocks, uint32_t nr)
{
	shared->nr_clocks = nr;
	__atomic_store_n(&shared->clocks, clocks, __ATOMIC_RELEASE);
}

static const struct jump_figures *figures_of(const struct jump_shared *shared, const struct shared_layout *layout,
					     uint32_t function)
{
	const struct jump_figures *figures =
		(const void *)((const char *)shared + places_bytes(layout->sets));

	return figures + (uint64_t)function * layout->shards;
}

/* What lies in other shards is not touched: reading makes a page of it. */
static bool is_used(const struct jump_figures *figures)
{
	return figures->total || figures->longest || figures->is_short;
}

void shared__open(const struct jump_shared *shared, const struct shared_layout *layout, uint64_t *open)
{
	memset(open, 0, layout->functions * sizeof(*open));
	for (uint32_t i = 0; i < layout->sets; i++)
		for (int way = 0; way < JUMP_WAYS; way++) {
			uint64_t key = __atomic_load_n(&shared->sets[i].key[way], __ATOMIC_RELAXED);

			/* The process can write any. */
			if (key && key >> JUMP_PLACE_BITS < layout->functions)
				open[key >> JUMP_PLACE_BITS]++;
		}
}

static uint64_t open_calls(const struct jump_shared *shared, uint32_t sets, uint32_t function)
{
	uint64_t open = 0;

	for (uint32_t i = 0; i < sets; i++)
		for (int way = 0; way < JUMP_WAYS; way++)
			open += shared->sets[i].key[way] &&
				shared->sets[i].key[way] >> JUMP_PLACE_BITS == function;
	return open;
}

/* Behind the total, to which a stamp adds last: so what calls ran, which is the total less these, is never too much. */
static void count_causes(const struct jump_figures *figures, struct call_counts *counts)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	for (int i = 0; i < JUMP_CAUSES; i++) {
		counts->cause_total[i] += figures->cause_total[i];
		if (figures->cause_longest[i] > counts->cause_longest[i])
			counts->cause_longest[i] = figures->cause_longest[i];
	}
	counts->untold += figures->untold;
	counts->untold_total += figures->untold_total;
}

void shared__count_ended(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
			 struct call_counts *counts)
{
	const struct jump_figures *figures = figures_of(shared, layout, function);

	*counts = (struct call_counts){ 0 };
	for (uint32_t shard = 0; shard < layout->shards; shard++, figures++) {
		counts->abandoned += figures->abandoned;
		counts->lost += figures->lost;
		if (!is_used(figures))
			continue;
		counts->total += figures->total;
		counts->away_ns += figures->away_ns;
		counts->unknown += figures->unknown;
		counts->unknown_total += figures->unknown_total;
		counts->beyond += figures->beyond;
		counts->missing += figures->missing;
		counts->nested += figures->nested;
		counts->unnested += figures->unnested;
		counts->is_short += figures->is_short;
		if (figures->longest > counts->longest)
			counts->longest = figures->longest;
		if (figures->longest_on_cpu > counts->longest_on_cpu)
			counts->longest_on_cpu = figures->longest_on_cpu;
		for (int i = 0; i < JUMP_BUCKETS; i++)
			counts->timed += figures->count[i];
		count_causes(figures, counts);
	}
}

void shared__count(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
		   struct call_counts *counts)
{
	shared__count_ended(shared, layout, function, counts);
	/* Last: what ends meanwhile is missing, and not there twice. */
	counts->open = open_calls(shared, layout->sets, function);
}

static void add_causes(const struct jump_figures *figures, struct call_buckets *buckets)
{
	for (int cause = 0; cause < JUMP_CAUSES; cause++)
		for (int i = 0; i < JUMP_BUCKETS && figures->cause_total[cause]; i++)
			buckets->cause[cause][i] += figures->cause_count[cause][i];
}

void shared__buckets(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
		     struct call_buckets *buckets)
{
	const struct jump_figures *figures = figures_of(shared, layout, function);

	memset(buckets, 0, sizeof(*buckets));
	for (uint32_t shard = 0; shard < layout->shards; shard++, figures++) {
		if (!is_used(figures))
			continue;
		for (int i = 0; i < JUMP_BUCKETS; i++) {
			/* In the order that no stamp changes them in: so the sum is too small, if it is not right. */
			uint64_t count = __atomic_load_n(&figures->count[i], __ATOMIC_ACQUIRE);

			buckets->wall[i] += count;
			buckets->on_cpu[i] += count + __atomic_load_n(&figures->moved[i], __ATOMIC_RELAXED);
		}
		add_causes(figures, buckets);
	}
}
