/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a function can be measured by jumps, and where: the windows that its entry may have, and those of each of its ends.  A jump
 * takes the place of a window's first instruction alone.  What is behind that stays as it is, also where the jump's five bytes reach into
 * it, see decide/pun.h; a copy of the window's instructions runs elsewhere.
 *
 * An entry's window is one instruction that each call goes through, with nothing before it that takes time.  An end's goes from an
 * instruction up to the one that leaves the function, and nothing may lead between them, where who comes would not be counted.  One
 * window can have both.
 *
 * A function's first instruction stays where it is.  There others put their breakpoints: the kernel one for uprobes, whenever anybody
 * asks for one in the file, and debuggers: so these are no reason to take the jumps out.  It may also mark where indirect calls lead.
 */
#ifndef KVIEW_JUMP_PLAN_H
#define KVIEW_JUMP_PLAN_H

#include "decide/pun.h"
#include "decide/targets.h"
#include "lookup/code.h"

#define JUMP_MAX_WINDOW 64	/* bytes of its instructions */

enum plan_refusal {
	PLAN_FITS,
	PLAN_CODE_UNKNOWN,	/* its code was not read to its end */
	PLAN_DATA,		/* it may have data among its instructions */
	PLAN_JUMP_UNKNOWN,	/* an indirect jump may stay within it */
	PLAN_FIRST,		/* its first instruction can't stay where it is, before the entry's window */
	PLAN_LOOP_AT_ENTRY,
	PLAN_TOO_SHORT,		/* there is no instruction that a jump may take the place of */
	PLAN_CALL,		/* a call stands in the way */
	PLAN_ENTERED,		/* something leads into the window */
	PLAN_NOT_MOVABLE,	/* an instruction that can't run elsewhere */
	PLAN_WATCHED,		/* a static probe is there */
	PLAN_RESTARTABLE,
	PLAN_MEMORY,
	PLAN_REFUSALS
};

struct plan_window {
	uint64_t start;		/* in the file's address space */
	uint32_t bytes;		/* of its instructions */
	uint32_t first, nr;	/* its instructions, in struct code */
	uint32_t pushed;	/* of an entry's: by how many bytes the stack has grown before it */
	uint32_t end;		/* the number of the end that it goes up to, from 1 on; 0: none */
	bool is_entry;
	struct pun_place place;
};

struct plan {
	struct plan_window *windows;	/* one for the entry and one for each end are needed, which may be the same */
	size_t nr, nr_ends;
	uint32_t kept;		/* bytes of the function's first instruction, which stays */
	enum plan_refusal refusal;
	uint64_t refused_at;	/* where; 0: the function as a whole */
	char reason[200];	/* one sentence unless it fits */
};

/* code was read and is of the file that targets are of.  Free in each case. */
void plan__make(struct plan *plan, const struct code *code, const struct targets *targets);
void plan__free(struct plan *plan);
/* Whether an instruction of a window may fault elsewhere. */
bool plan__may_fault(const struct plan_window *window, const struct code *code);
/* Takes out the windows with an instruction that may fault elsewhere; whether there were any. */
bool plan__leave_faults(struct plan *plan, const struct code *code);

/* The name of a refusal for tables of counts. */
const char *plan__refusal_name(enum plan_refusal refusal);

/* What a jump in the place of a window's first instruction has to do with: fills in place. */
enum plan_refusal plan__find_place(struct plan_window *window, const struct code *code, const struct targets *targets);
/* Whether what is behind an instruction may run after it. */
bool insn__runs_on(const struct code_insn *insn);

/* By architecture.  Whether a copy of the instruction elsewhere does the same. */
bool insn__can_move(const struct code_insn *insn, const uint8_t *bytes, size_t left);
/* Whether it uses memory by more than the stack pointer, divides, or computes with floating point: what may fault, and be meant to. */
bool insn__may_fault(const uint8_t *bytes, size_t left);
/* Whether these bytes are a filler that compilers put between functions and before loops; returns its length or 0. */
unsigned int insn__filler(const uint8_t *bytes, size_t left);
/* Whether an instruction can stay before the entry's window: by how many bytes the stack grows is known then. */
bool insn__stays(const struct code_insn *insn, const uint8_t *bytes, size_t left, uint32_t *pushed);
/* Whether it names memory that may have to be waited for, or that stamps may use: all but what it pushes. */
bool insn__uses_memory(const uint8_t *bytes, size_t left);
/* The length of any instruction; 0: it is none. */
unsigned int insn__length(const uint8_t *bytes, size_t left);
/* Whether it does the same with its first byte alone its own, and those of a jump behind that. */
bool insn__is_one_byte(const uint8_t *bytes);

#endif
