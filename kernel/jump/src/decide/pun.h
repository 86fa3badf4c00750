/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a jump can be written so that the program is right whatever others do to its code beside it.
 *
 * Who traps at an instruction, as the kernel for uprobes and debuggers do, writes one byte there, a trap, and later one byte of the
 * file's.  While the trap at a window's first instruction is there, he runs that instruction of the file's and goes on behind it.  So at
 * any time the first byte of the window is the jump's, a trap, or the file's; each byte of the jump at which another instruction of the
 * file's begins is the file's or a trap; and the code behind the window's first instruction has to be the file's.
 *
 * Therefore only bytes of the first instruction are changed, and in such a way that it is right with the file's first byte, too.  Where
 * the jump's distance reaches into other instructions, their bytes are a part of it (a pun).  Wherever one of these may become a trap, the
 * jump leads elsewhere then.  At each of these places is a springboard: another jump, to where this one is to lead.
 *
 * Filler behind a return or a jump never runs, so it is changed, too.  Others may put a trap there all the same, and the file's byte
 * afterwards: where a piece of it begins, a jump's byte is its own, a trap or the file's, and for each there is a springboard.
 */
#ifndef KVIEW_JUMP_PUN_H
#define KVIEW_JUMP_PUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JUMP_BYTES 5
#define PUN_BYTES 6		/* of a jump, or of one behind a prefix */
#define PUN_MAX_BOARDS 162	/* two jumps, each with three values for each byte of its distance */
#define BOARD_BYTES 5

/* A springboard: a jump. */
struct board {
	uint64_t at, to;
};

/* What is where a jump is to be put. */
struct pun_place {
	uint8_t bytes[PUN_BYTES];	/* the file's */
	uint8_t length;		/* of the instruction, with the filler behind it if nothing else is there */
	uint8_t own;		/* without that */
	uint8_t inner;		/* bit n: another instruction may begin at byte n, behind it: filler, too */
	bool is_end;		/* nothing runs behind it */
};

struct pun {
	uint8_t is[PUN_BYTES];	/* the file's but for those that are changed */
	uint8_t changed;	/* bytes from the first on */
	struct board boards[PUN_MAX_BOARDS];	/* springboards that it needs, elsewhere or right before the stub */
	size_t nr;
};

/* Whether there may be a springboard. */
struct pun_space {
	bool (*has_room)(const void *context, uint64_t address);
	const void *context;
};

/*
 * For an instruction at an address.  stub: the first address that it may lead to, which becomes the one that it leads to; a springboard may
 * be between these.  False if there is no way.
 */
bool pun__find(struct pun *pun, const struct pun_place *place, uint64_t address, const struct pun_space *space, uint64_t *stub);
/* The springboards of one that was written over the file's bytes: how many there are. */
size_t pun__boards(const uint8_t is[PUN_BYTES], const uint8_t was[PUN_BYTES], uint8_t changed, uint8_t inner, uint64_t address, uint64_t stub,
		   struct board boards[PUN_MAX_BOARDS]);
/* How many bytes of code it depends on. */
static inline unsigned int pun__span(uint8_t changed)
{
	return changed > JUMP_BYTES ? changed : JUMP_BYTES;
}

#endif
