/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls that begin at one static probe of the program, and end at another one, wherever on the stack these are.  To the frames
 * all of them are at one place, above where the thread runs: so none is taken for one that was left, and the last one of a
 * function is found first.
 */
#ifndef KVIEW_PAIRS_BPF_H
#define KVIEW_PAIRS_BPF_H

/* Set before load: all functions are such pairs. */
volatile const bool calls_are_pairs;

#define PAIR_SP		(1ULL << 62)
/* Of a full thread's frames: there begins have no ends, or recursion is deep. */
#define PAIRS_GIVEN_UP	(XP_DEPTH / 2)

static __always_inline u64 sp__of_call(struct pt_regs *ctx)
{
	return calls_are_pairs ? PAIR_SP : PT_REGS_SP(ctx);
}

/* Where in the code and on the stack a call begins. */
static __always_inline u64 place__of_begin(struct pt_regs *ctx)
{
	return PT_REGS_IP(ctx) * 0x9e3779b97f4a7c15ULL + PT_REGS_SP(ctx);
}

/* Where the thread runs that is at a call's begin or end. */
static __always_inline u64 sp__of_thread(u64 sp)
{
	return calls_are_pairs ? sp - 1 : sp;
}

#endif
