/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that tests/stamps.c measures in its own process. */
#ifndef KVIEW_JUMP_STAMPED_H
#define KVIEW_JUMP_STAMPED_H

#ifdef __cplusplus
extern "C" {
#endif

long m_leaf(long x);
long m_tail(long x);			/* goes on in m_leaf */
long m_maybe_tail(long x);		/* goes on in m_leaf if x is odd */
long m_switch(long x);
long m_deep(long depth);		/* calls itself */
long m_throws(long x);			/* throws if x % 3 == 0 */
long m_catches(long x);			/* calls m_throws, and catches */
long m_leaves(long x);			/* by longjmp if x % 3 == 0 */
long m_returns_twice(long x);		/* calls m_leaves by setjmp */
long m_waits(long turns);		/* a loop, for signals to come in */
long m_yields(long x);			/* calls yield_now in between */

extern void (*volatile yield_now)(void);

/* Loads all registers and the flags from state, calls function, and stores all back into it. */
struct register_state {
	unsigned long registers[15];	/* rax rcx rdx rbx rbp rsi rdi r8 … r15 */
	unsigned long flags;
	unsigned char xmm[16][16], below[128];	/* below the stack pointer */
};
void call_with(struct register_state *state, void (*function)(void));
/* Stores all into seen, what it was called with, and returns them as they were. */
void m_mirror(void);
extern struct register_state seen;

#ifdef __cplusplus
}
#endif

#endif
