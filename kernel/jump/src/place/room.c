// SPDX-License-Identifier: GPL-2.0
#include "place/room.h"

#include <inttypes.h>
#include <stdio.h>

#define REACH 0x70000000ull	/* less than 2 GiB: instructions in the copies name data around the code */
#define LOWEST 0x10000ull	/* below, the kernel refuses mappings */
#define HIGHEST 0x7fffffff0000ull
#define APART 0x10000ull	/* from other mappings: a stack may grow */

static uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The place in a gap that is nearest to start; 0: it is not in reach, or too small. */
static uint64_t place_in(uint64_t from, uint64_t to, uint64_t start, uint64_t end, uint64_t bytes)
{
	from = max(from + APART, end > REACH ? end - REACH : LOWEST);
	to = min(to > APART ? to - APART : 0, start + REACH);
	if (to < from || to - from < bytes)
		return 0;
	/* Behind the code its heap may grow, so rather the end of a gap below, or the middle of one above. */
	return (to <= start ? to - bytes : from + (to - from - bytes) / 2) & ~0xfffull;
}

static uint64_t distance(uint64_t place, uint64_t start)
{
	return place > start ? place - start : start - place;
}

uint64_t room__find(pid_t pid, uint64_t start, uint64_t end, uint64_t bytes)
{
	uint64_t before = LOWEST, best = 0, from, to;
	char path[32], line[4200];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return 0;
	while (fgets(line, sizeof(line), maps)) {
		uint64_t place;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to) != 2 || from >= HIGHEST)
			continue;
		place = place_in(before, from, start, end, bytes);
		if (place && (!best || distance(place, start) < distance(best, start)))
			best = place;
		before = to;
	}
	fclose(maps);
	return best;
}
