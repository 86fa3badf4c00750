// SPDX-License-Identifier: GPL-2.0
#include "place/image.h"

static uint64_t whole_pages(uint64_t bytes)
{
	return (bytes + JUMP_PAGE - 1) / JUMP_PAGE * JUMP_PAGE;
}

static uint64_t sets_bytes(uint32_t sets)
{
	return sizeof(struct jump_shared) + sets * sizeof(struct jump_set);
}

size_t shared__bytes(const struct shared_layout *layout)
{
	return whole_pages(sets_bytes(layout->sets) +
			   (uint64_t)layout->functions * layout->shards * sizeof(struct jump_figures));
}

void shared__init(struct jump_shared *shared, const struct shared_layout *layout)
{
	shared->shift = 32 - __builtin_ctz(layout->sets);
	shared->shard_mask = layout->shards - 1;
	shared->figures = sets_bytes(layout->sets);
}

void shared__use_clocks(struct jump_shared *shared, uint64_t clocks, uint32_t nr, uint64_t rate)
{
	shared->nr_clocks = nr;
	shared->rate = rate;
	__atomic_store_n(&shared->clocks, clocks, __ATOMIC_RELEASE);
}

static const struct jump_figures *figures_of(const struct jump_shared *shared, const struct shared_layout *layout,
					     uint32_t function)
{
	const struct jump_figures *figures =
		(const void *)((const char *)shared + sets_bytes(layout->sets));

	return figures + (uint64_t)function * layout->shards;
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

void shared__count(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
		   struct call_counts *counts)
{
	const struct jump_figures *figures = figures_of(shared, layout, function);

	*counts = (struct call_counts){ .open = open_calls(shared, layout->sets, function) };
	for (uint32_t shard = 0; shard < layout->shards; shard++, figures++) {
		counts->total += figures->total;
		counts->abandoned += figures->abandoned;
		counts->lost += figures->lost;
		counts->away_ns += figures->away_ns;
		counts->unknown += figures->unknown;
		counts->unknown_total += figures->unknown_total;
		counts->beyond += figures->beyond;
		if (figures->longest > counts->longest)
			counts->longest = figures->longest;
		if (figures->longest_on_cpu > counts->longest_on_cpu)
			counts->longest_on_cpu = figures->longest_on_cpu;
		for (int i = 0; i < JUMP_BUCKETS; i++)
			counts->timed += figures->count[i];
	}
}

uint64_t shared__on_cpu(const struct jump_shared *shared, const struct shared_layout *layout, uint32_t function,
			uint32_t bucket)
{
	const struct jump_figures *figures = figures_of(shared, layout, function);
	uint64_t calls = 0;

	for (uint32_t shard = 0; shard < layout->shards; shard++)
		calls += figures[shard].count[bucket] + figures[shard].moved[bucket];
	return calls;
}
