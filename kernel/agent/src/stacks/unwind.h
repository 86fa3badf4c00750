/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_STACKS_UNWIND_H
#define KVIEW_STACKS_UNWIND_H

#include "stacks/code.h"

#define STACK_MAX_FRAMES	512

struct stack_frame {
	bool is_known;			/* otherwise its code is in no file */
	struct stack_place place;
	uint64_t end;			/* the stack pointer once it has returned; 0: not known */
};

/*
 * The frames of a stack that was copied, the innermost first.  registers: [FRAME_REGISTERS].  is_complete: to the start of the thread.  Returns how
 * many there are, room at most.
 */
size_t stack__unwind(struct stack_code *code, const uint64_t *registers, const struct frame_memory *memory,
		     struct stack_frame *frames, size_t room, bool *is_complete);

#endif
