/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a function can be measured by jumps, and where: the window of its entry and that of each of its ends.  A
 * window is a run of whole instructions of at least five bytes, which a jump takes the place of; a copy of them runs
 * elsewhere.  Nothing may lead into a window but to its beginning, and no call may come back into it.
 *
 * A function's first instruction stays where it is, and the window begins behind it.  There others put their breakpoints: the kernel one
 * for uprobes, whenever anybody asks for one in the file, and debuggers.  What they take away again is one byte of the file's.
 * It may also mark where indirect calls lead.
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
	PLAN_FIRST,		/* its first instruction can't stay where it is, before the entry's window */
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
	uint32_t kept;		/* bytes of the function's first instruction, before its entry's window */
	uint32_t pushed;	/* bytes that the stack grows by in it */
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
/* Whether it reads or writes memory beside the stack, or divides: what may fault, and be meant to. */
bool insn__may_fault(const uint8_t *bytes, size_t left);
/* Whether these bytes are a filler that compilers put between functions and before loops; returns its length or 0. */
unsigned int insn__filler(const uint8_t *bytes, size_t left);
/* Whether a function's first instruction can stay before its entry's window: by how many bytes the stack grows is known then. */
bool insn__stays(const struct code_insn *insn, const uint8_t *bytes, size_t left, uint32_t *pushed);
/* Whether it does the same with its first byte alone its own, and those of a jump behind that. */
bool insn__is_one_byte(const uint8_t *bytes);

#endif
