/* SPDX-License-Identifier: GPL-2.0 */
/* The springboards of jumps, see decide/pun.h: each in memory that is mapped for it alone, where nothing else is. */
#ifndef KVIEW_JUMP_BOARDS_H
#define KVIEW_JUMP_BOARDS_H

#include "decide/pun.h"
#include "place/regions.h"

#define BOARDS_MOST 32768	/* of a file */

struct boards {
	struct board *all;	/* ascending, apart from each other */
	size_t nr, room;
	size_t pages;		/* in which at least one begins */
};

/* Whole pages that follow each other. */
struct board_run {
	uint64_t start, bytes;
	size_t first, next;	/* its springboards; the last one may reach into it from before, or out of it */
};

/* Where they may be. */
struct board_space {
	const struct regions *regions;	/* what the process maps, which has to stay */
	uint64_t heap, heap_end, stack, stack_end;	/* what these may grow to */
};
void board_space__init(struct board_space *space, const struct regions *regions);

void boards__free(struct boards *boards);
bool boards__have_room(const struct boards *boards, const struct board_space *space, uint64_t at);
/* False: one is there, or without memory. */
bool boards__add(struct boards *boards, const struct board *board);
void boards__remove(struct boards *boards, uint64_t at);
/* The run of pages that begins with board first; its next is the first one of the run behind. */
struct board_run boards__run(const struct boards *boards, size_t first);
/* Of all runs. */
uint64_t boards__bytes(const struct boards *boards, size_t *runs);
/* Without its springboards. */
void boards__remove_run(struct boards *boards, const struct board_run *run);
/* NULL: none begins there. */
const struct board *boards__at(const struct boards *boards, uint64_t at);

#endif
