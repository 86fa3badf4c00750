/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a function can be measured by jumps, and where: the window of its entry and that of each of its ends.  A
 * window is a run of whole instructions of at least five bytes, which a jump takes the place of; a copy of them runs
 * elsewhere.  Nothing may lead into a window but to its beginning, and no call may come back into it.
 */
#ifndef KVIEW_JUMP_PLAN_H
#define KVIEW_JUMP_PLAN_H

#include "decide/targets.h"
#include "lookup/code.h"

#define JUMP_BYTES 5
#define JUMP_MAX_WINDOW 64	/* bytes; several that meet become one */

enum plan_refusal {
	PLAN_FITS,
	PLAN_CODE_UNKNOWN,	/* its code was not read to its end */
	PLAN_DATA,		/* it may have data among its instructions */
	PLAN_JUMP_UNKNOWN,	/* an indirect jump may stay within it */
	PLAN_LOOP_AT_ENTRY,
	PLAN_TOO_SHORT,		/* no five bytes that belong to it and that nothing else enters */
	PLAN_CALL,		/* a call stands in the way */
	PLAN_ENTERED,		/* something leads into the window */
	PLAN_NOT_MOVABLE,	/* an instruction that can't run elsewhere */
	PLAN_RESTARTABLE,
	PLAN_MEMORY,
	PLAN_REFUSALS
};

struct plan_window {
	uint64_t start;		/* in the file's address space */
	uint32_t bytes;		/* of its instructions, with the padding behind them that the jump needs */
	uint32_t first, nr;	/* its instructions, in struct code */
	bool is_entry;
};

struct plan {
	struct plan_window *windows;	/* ascending by start, apart from each other */
	size_t nr, nr_ends;
	enum plan_refusal refusal;
	uint64_t refused_at;	/* where; 0: the function as a whole */
	char reason[200];	/* one sentence unless it fits */
};

/* code was read and is of the file that targets are of.  Free in each case. */
void plan__make(struct plan *plan, const struct code *code, const struct targets *targets);
void plan__free(struct plan *plan);

/* The name of a refusal for tables of counts. */
const char *plan__refusal_name(enum plan_refusal refusal);

/* By architecture.  Whether a copy of the instruction elsewhere does the same. */
bool insn__can_move(const struct code_insn *insn, const uint8_t *bytes, size_t left);
/* Whether these bytes are a filler that compilers put between functions and before loops; returns its length or 0. */
unsigned int insn__filler(const uint8_t *bytes, size_t left);
/* Whether it marks where indirect calls may lead, and has to stay where it is. */
bool insn__is_landing_mark(const uint8_t *bytes, size_t left);

#endif
