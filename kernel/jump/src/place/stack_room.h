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
 * The address of unused memory of this size at the far end of a thread's stack, near the guard
 * page; 0 if there is none, or if this is not a thread's stack.  Unused means: never touched, or
 * all 0, or with the mark of an earlier use.  (The stack of any thread but the first has the memory
 * to which thread_pointer leads at its other end.)  Memory just below the stack pointer would not
 * do: the thread may be on a smaller stack within this one, as signal handlers and coroutines use.
 */
uint64_t stack_room__find(const struct stopped *stopped, const struct regions *regions, uint64_t sp,
			  uint64_t thread_pointer);
/* It is 0 again. */
void stack_room__clear(const struct stopped *stopped, uint64_t room);

#endif
