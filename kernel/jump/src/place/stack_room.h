/* SPDX-License-Identifier: GPL-2.0 */
/* Memory at the far end of a thread's stack that nothing has used. */
#ifndef KVIEW_JUMP_STACK_ROOM_H
#define KVIEW_JUMP_STACK_ROOM_H

#include "place/regions.h"
#include "place/stopped.h"

#define INJECT_ROOM (8 * 4096)	/* bytes */

/* At the beginning of what is written there, so that it is known if nobody clears it: 64 bytes from a page's end. */
struct stack_room_mark {
	char magic[16];
	uint64_t end;
};
#define STACK_ROOM_MARK (4096 - 64)

/*
 * So much that was never touched, or is 0 as before it was, or has a mark, far below the stack pointer and near the guard of a thread's
 * stack; 0: there is none, or it is no such stack (of a thread but the first one, it
 * has what thread_pointer leads to at its other end).  Not just what is below the stack pointer: that may be on a stack
 * within a stack, as signals' handlers and coroutines have.
 */
uint64_t stack_room__find(const struct stopped *stopped, const struct regions *regions, uint64_t sp,
			  uint64_t thread_pointer);
/* It is 0 again. */
void stack_room__clear(const struct stopped *stopped, uint64_t room);

#endif
