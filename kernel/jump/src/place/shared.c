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

size_t shared__bytes(uint32_t functions, uint32_t shards, uint32_t sets)
{
	return whole_pages(sets_bytes(sets) + (uint64_t)functions * shards * sizeof(struct jump_figures));
}

void shared__init(struct jump_shared *shared, uint32_t functions, uint32_t shards, uint32_t sets)
{
	shared->shift = 32 - __builtin_ctz(sets);
	shared->shard_mask = shards - 1;
	shared->figures = sets_bytes(sets);
}

const struct jump_figures *shared__figures(const struct jump_shared *shared, uint32_t function,
					   uint32_t shard)
{
	const struct jump_figures *figures = (const void *)((const char *)shared + shared->figures);

	return &figures[(uint64_t)function * (shared->shard_mask + 1) + shard];
}

static uint64_t open_calls(const struct jump_shared *shared, uint32_t function)
{
	uint64_t open = 0;

	for (uint64_t i = 0; i < 1ull << (32 - shared->shift); i++)
		for (int way = 0; way < JUMP_WAYS; way++)
			open += shared->sets[i].key[way] &&
				shared->sets[i].key[way] >> JUMP_PLACE_BITS == function;
	return open;
}

void shared__count(const struct jump_shared *shared, uint32_t function, struct call_counts *counts)
{
	*counts = (struct call_counts){ .open = open_calls(shared, function) };
	for (uint32_t shard = 0; shard <= shared->shard_mask; shard++) {
		const struct jump_figures *figures = shared__figures(shared, function, shard);

		counts->total += figures->total;
		counts->abandoned += figures->abandoned;
		counts->lost += figures->lost;
		if (figures->longest > counts->longest)
			counts->longest = figures->longest;
		for (int i = 0; i < JUMP_BUCKETS; i++)
			counts->timed += figures->count[i];
	}
}
