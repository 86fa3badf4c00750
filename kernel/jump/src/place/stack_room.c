// SPDX-License-Identifier: GPL-2.0
#include "place/stack_room.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

#define PAGE 4096
#define PAGES (INJECT_ROOM / PAGE)
#define DISTANCE 65536		/* from the stack pointer */
#define MOST_PAGES 64		/* that are looked at */
#define IN_USE (3ull << 62)	/* of a page in /proc/PID/pagemap: it is present, or swapped out */

static const uint8_t zeros[PAGE];

/* The first thread's stack, or one with a guard below. */
static bool is_thread_stack(const struct regions *regions, const struct region *region, uint64_t sp,
			    uint64_t thread_pointer)
{
	if (!region->can_write || region->is_shared || region->inode)
		return false;
	if (region->is_stack)
		return true;
	return region > regions->all && region[-1].end == region->start && !region[-1].can_read &&
	       !region[-1].can_write && thread_pointer > sp && thread_pointer < region->end;
}

/* dead_to: up to there is what one wrote who was killed. */
static bool is_unused(const struct stopped *stopped, int pagemap, uint64_t page, uint64_t *dead_to)
{
	uint8_t bytes[PAGE];
	struct stack_room_mark mark;
	uint64_t entry;

	if (pread(pagemap, &entry, sizeof(entry), page / PAGE * sizeof(entry)) != sizeof(entry))
		return false;
	if (!(entry & IN_USE) || page < *dead_to)
		return true;
	if (pread(stopped->memory, bytes, PAGE, page) != PAGE)
		return false;
	memcpy(&mark, bytes + STACK_ROOM_MARK, sizeof(mark));
	if (!memcmp(mark.magic, JUMP_MAGIC, sizeof(JUMP_MAGIC)) && mark.end - page <= INJECT_ROOM)
		*dead_to = mark.end;
	return page < *dead_to || !memcmp(bytes, zeros, PAGE);
}

uint64_t stack_room__find(const struct stopped *stopped, const struct regions *regions, uint64_t sp,
			  uint64_t thread_pointer)
{
	const struct region *region = regions__at(regions, sp);
	unsigned int unused = 0;
	uint64_t page, dead_to = 0;
	char path[32];
	int pagemap;

	if (!region || !is_thread_stack(regions, region, sp, thread_pointer))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", stopped__living(stopped));
	pagemap = open(path, O_RDONLY | O_CLOEXEC);
	if (pagemap < 0)
		return 0;
	for (page = region->start; unused < PAGES && page < region->start + MOST_PAGES * PAGE &&
	     page + PAGE + DISTANCE <= sp; page += PAGE)
		unused = is_unused(stopped, pagemap, page, &dead_to) ? unused + 1 : 0;
	close(pagemap);
	return unused == PAGES ? page - INJECT_ROOM : 0;
}

void stack_room__clear(const struct stopped *stopped, uint64_t room)
{
	for (uint64_t page = room; page < room + INJECT_ROOM; page += PAGE) {
		uint8_t bytes[PAGE];

		/* Only what was written: pages that were never touched stay so. */
		if (pread(stopped->memory, bytes, PAGE, page) == PAGE && memcmp(bytes, zeros, PAGE))
			pwrite(stopped->memory, zeros, PAGE, page);
	}
}
