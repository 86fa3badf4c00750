// SPDX-License-Identifier: GPL-2.0
#include <sys/mman.h>
#include <unistd.h>

#include "mechanism/cache_walk.h"

#define CACHE_LINE	64
/* Where the size of the cache is not told, and at most. */
#define CACHE_BYTES	(1L << 20)
#define MAX_CACHE_BYTES	(4L << 20)

int cache_walk__init(struct cache_walk *walk)
{
	long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);

	if (cache <= 0)
		cache = CACHE_BYTES;
	if (cache > MAX_CACHE_BYTES)
		cache = MAX_CACHE_BYTES;
	walk->bytes = CACHE_WALKS * cache;
	walk->memory = mmap(NULL, walk->bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return walk->memory == MAP_FAILED ? -1 : 0;
}

void cache_walk__free(struct cache_walk *walk)
{
	munmap((void *)walk->memory, walk->bytes);
}

void cache_walk__go(const struct cache_walk *walk)
{
	size_t at;

	for (at = 0; at < walk->bytes; at += CACHE_LINE)
		walk->memory[at]++;
}
