/* SPDX-License-Identifier: GPL-2.0 */
/* A map's values, an array in this process's memory that eBPF programs write to meanwhile. */
#ifndef KVIEW_MAP_VIEW_H
#define KVIEW_MAP_VIEW_H

#include <stddef.h>

struct bpf_map;

struct map_view {
	void *at;		/* NULL: not mapped */
	size_t bytes;
};

/* protection as for mmap().  Returns 0, or -1 with errno. */
int map_view__open(struct map_view *view, const struct bpf_map *map, int protection);
void map_view__close(struct map_view *view);

#endif
