/* SPDX-License-Identifier: GPL-2.0 */
/* How much of the kernel's memory, which can't be swapped, the maps of eBPF programs take. */
#ifndef KVIEW_MAP_MEMORY_H
#define KVIEW_MAP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

struct bpf_map;

/* About what the kernel takes for an entry of a hash map, beside its value. */
#define MAP_ENTRY_BYTES	96

/*
 * How many slots of figures to have for so many functions: fewer rather than much memory.
 * fixed: what is taken beside them; max_bytes: of all together, 0: no limit.
 */
uint32_t map_memory__slots(uint64_t fixed, size_t functions, uint64_t max_bytes);
/* For each thread that has a value in this map. */
uint64_t map_memory__of_task(const struct bpf_map *map);

#endif
