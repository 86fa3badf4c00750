// SPDX-License-Identifier: GPL-2.0
#include <linux/types.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "mechanism/figures.h"
#include "mechanism/map_memory.h"

#define MAX_BUCKET_BYTES	(64ULL << 20)
#define MAX_SLOTS		8

uint32_t map_memory__slots(uint64_t fixed, size_t functions, uint64_t max_bytes)
{
	uint64_t buckets = functions * XP_SETS * sizeof(struct xp_buckets);
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t slots = 1;

	while (slots < cpus && slots < MAX_SLOTS && 2 * slots * buckets <= MAX_BUCKET_BYTES &&
	       (!max_bytes || fixed + 2 * slots * figures__slot_bytes(functions) <= max_bytes))
		slots *= 2;
	return slots;
}

/* The kernel takes as much as the next power of two. */
uint64_t map_memory__of_task(const struct bpf_map *map)
{
	uint64_t bytes = 1;

	while (bytes < bpf_map__value_size(map) + MAP_ENTRY_BYTES)
		bytes *= 2;
	return bytes;
}
