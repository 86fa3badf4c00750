// SPDX-License-Identifier: GPL-2.0
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "mechanism/map_view.h"

int map_view__open(struct map_view *view, const struct bpf_map *map, int protection)
{
	size_t page = sysconf(_SC_PAGESIZE), value = (bpf_map__value_size(map) + 7) & ~7UL;
	size_t bytes = (bpf_map__max_entries(map) * value + page - 1) & ~(page - 1);
	void *at = mmap(NULL, bytes, protection, MAP_SHARED, bpf_map__fd(map), 0);

	if (at == MAP_FAILED)
		return -1;
	*view = (struct map_view){ at, bytes };
	return 0;
}

void map_view__close(struct map_view *view)
{
	if (view->at)
		munmap(view->at, view->bytes);
	view->at = NULL;
}
