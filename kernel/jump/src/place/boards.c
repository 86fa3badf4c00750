// SPDX-License-Identifier: GPL-2.0
#include "place/boards.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "layout.h"

#define APART 0x10000ull		/* from what else is mapped: who runs over its end should find nothing there, as before */
#define FOR_STACK 0x10000000ull		/* below the first thread's stack: that may grow */
#define FOR_HEAP 0x10000000ull		/* behind the heap: where it can't grow, malloc maps memory */
#define LOWEST 0x10000ull		/* below, the kernel refuses mappings */
#define HIGHEST 0x7ffffff00000ull
#define MOST_REGIONS 30000		/* with those that the process has; the kernel's limit is 65530, if it was not changed */

void boards__free(struct boards *boards)
{
	free(boards->all);
	*boards = (struct boards){ 0 };
}

static uint64_t page_of(uint64_t address)
{
	return address & -(uint64_t)JUMP_PAGE;
}

static size_t first_from(const struct boards *boards, uint64_t at)
{
	return partition_point(boards->nr, i, boards->all[i].at < at);
}

static bool is_taken(const struct boards *boards, uint64_t at)
{
	size_t next = first_from(boards, at > BOARD_BYTES ? at - BOARD_BYTES + 1 : 0);

	return next < boards->nr && boards->all[next].at < at + BOARD_BYTES;
}

void board_space__init(struct board_space *space, const struct regions *regions)
{
	*space = (struct board_space){ .regions = regions };
	for (size_t i = 0; i < regions->nr; i++) {
		const struct region *region = &regions->all[i];

		if (region->is_heap) {
			space->heap = region->start;
			space->heap_end = region->end + FOR_HEAP;
		}
		if (region->is_stack) {
			space->stack = region->start > FOR_STACK ? region->start - FOR_STACK : 0;
			space->stack_end = region->end;
		}
	}
}

static bool is_free(const struct board_space *space, uint64_t start, uint64_t end)
{
	const struct region *all = space->regions->all;
	size_t next = partition_point(space->regions->nr, i, all[i].end + APART <= start);

	return (next == space->regions->nr || end + APART <= all[next].start) && (end <= space->heap || start >= space->heap_end) &&
	       (end <= space->stack || start >= space->stack_end);
}

/* None of those beside it begins in its page. */
static bool is_alone(const struct boards *boards, size_t index)
{
	const uint64_t page = page_of(boards->all[index].at);

	return (!index || page_of(boards->all[index - 1].at) != page) &&
	       (index + 1 == boards->nr || page_of(boards->all[index + 1].at) != page);
}

bool boards__have_room(const struct boards *boards, const struct board_space *space, uint64_t at)
{
	uint64_t start = page_of(at), end = page_of(at + BOARD_BYTES - 1) + JUMP_PAGE;

	return at >= LOWEST && at < HIGHEST && boards->nr < BOARDS_MOST && space->regions->nr + 2 * boards->pages < MOST_REGIONS &&
	       is_free(space, start, end) && !is_taken(boards, at);
}

bool boards__add(struct boards *boards, const struct board *board)
{
	size_t index = first_from(boards, board->at);

	if (is_taken(boards, board->at))
		return false;
	if (boards->nr == boards->room) {
		size_t room = boards->room ? 2 * boards->room : 64;
		struct board *grown = realloc(boards->all, room * sizeof(*grown));

		if (!grown)
			return false;
		boards->all = grown;
		boards->room = room;
	}
	memmove(&boards->all[index + 1], &boards->all[index], (boards->nr++ - index) * sizeof(*boards->all));
	boards->all[index] = *board;
	boards->pages += is_alone(boards, index);
	return true;
}

void boards__remove(struct boards *boards, uint64_t at)
{
	size_t index = first_from(boards, at);

	boards->pages -= is_alone(boards, index);
	memmove(&boards->all[index], &boards->all[index + 1], (--boards->nr - index) * sizeof(*boards->all));
}

struct board_run boards__run(const struct boards *boards, size_t first)
{
	struct board_run run = { .start = page_of(boards->all[first].at), .first = first, .next = first };
	uint64_t end = run.start;

	for (; run.next < boards->nr && page_of(boards->all[run.next].at) <= end; run.next++)
		end = page_of(boards->all[run.next].at + BOARD_BYTES - 1) + JUMP_PAGE;
	run.bytes = end - run.start;
	return run;
}

void boards__remove_run(struct boards *boards, const struct board_run *run)
{
	memmove(&boards->all[run->first], &boards->all[run->next], (boards->nr - run->next) * sizeof(*boards->all));
	boards->nr -= run->next - run->first;
}

uint64_t boards__bytes(const struct boards *boards, size_t *runs)
{
	uint64_t bytes = 0;

	*runs = 0;
	for (size_t i = 0; i < boards->nr; (*runs)++) {
		struct board_run run = boards__run(boards, i);

		bytes += run.bytes;
		i = run.next;
	}
	return bytes;
}

const struct board *boards__at(const struct boards *boards, uint64_t at)
{
	size_t next = first_from(boards, at);

	return next < boards->nr && boards->all[next].at == at ? &boards->all[next] : NULL;
}
