// SPDX-License-Identifier: GPL-2.0
#include "place/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int add(struct regions *regions, size_t *room, const char *line)
{
	struct region region = { 0 };
	char rights[5];

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*s %" SCNu64, &region.start, &region.end, rights,
		   &region.inode) != 4 || region.start >= HIGHEST)
		return 0;
	region.can_read = rights[0] == 'r';
	region.can_write = rights[1] == 'w';
	region.can_execute = rights[2] == 'x';
	region.is_shared = rights[3] == 's';
	region.is_stack = !region.inode && strstr(line, " [stack]\n");
	region.is_heap = !region.inode && strstr(line, " [heap]\n");
	region.is_bpf_map = region.is_shared && strstr(line, " anon_inode:bpf-map\n");
	if (regions->nr == *room) {
		struct region *grown;

		*room = *room ? 2 * *room : 64;
		grown = realloc(regions->all, *room * sizeof(*grown));
		if (!grown)
			return -1;
		regions->all = grown;
	}
	regions->all[regions->nr++] = region;
	return 0;
}

int regions__read(struct regions *regions, pid_t pid)
{
	char path[32], line[4200];
	size_t room = 0;
	FILE *maps;
	int err = 0;

	*regions = (struct regions){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return -1;
	while (!err && fgets(line, sizeof(line), maps))
		err = add(regions, &room, line);
	fclose(maps);
	return err || !regions->nr ? -1 : 0;
}

int regions__reserve(struct regions *regions, uint64_t start, uint64_t end)
{
	struct region *grown = realloc(regions->all, (regions->nr + 1) * sizeof(*grown));
	size_t at = 0;

	if (!grown)
		return -1;
	regions->all = grown;
	while (at < regions->nr && grown[at].start < start)
		at++;
	memmove(&grown[at + 1], &grown[at], (regions->nr++ - at) * sizeof(*grown));
	grown[at] = (struct region){ .start = start, .end = end };
	return 0;
}

void regions__free(struct regions *regions)
{
	free(regions->all);
	*regions = (struct regions){ 0 };
}

const struct region *regions__at(const struct regions *regions, uint64_t address)
{
	for (size_t i = 0; i < regions->nr; i++)
		if (address >= regions->all[i].start && address < regions->all[i].end)
			return &regions->all[i];
	return NULL;
}

uint64_t regions__room(const struct regions *regions, uint64_t start, uint64_t end, uint64_t bytes)
{
	uint64_t before = LOWEST, best = 0;

	for (size_t i = 0; i < regions->nr; i++) {
		uint64_t place = place_in(before, regions->all[i].start, start, end, bytes);

		if (place && (!best || distance(place, start) < distance(best, start)))
			best = place;
		before = regions->all[i].end;
	}
	return best;
}
