// SPDX-License-Identifier: GPL-2.0
#include "stacks/unwind.h"

#include <string.h>

/* Where no rules are known, as for code made at run time: by the frame pointer, if that points up the stack. */
static enum frame_step step_by_pointer(struct frame_state *state, const struct frame_memory *memory)
{
	uint64_t pointer = state->registers[FRAME_RBP], caller, back;

	if (!(state->known & 1u << FRAME_RBP))
		return FRAME_STEP_FAILED;
	/* The ABI marks a thread's first frame so. */
	if (!pointer)
		return FRAME_STEP_START;
	if (pointer < state->registers[FRAME_RSP] || !frame_memory__read(memory, pointer, &back) ||
	    !frame_memory__read(memory, pointer + 8, &caller))
		return FRAME_STEP_FAILED;
	state->registers[FRAME_RBP] = back;
	state->registers[FRAME_RSP] = pointer + 16;
	state->registers[FRAME_RIP] = caller;
	state->known = 1u << FRAME_RBP | 1u << FRAME_RSP | 1u << FRAME_RIP;
	return FRAME_STEP_CALLER;
}

static enum frame_step step(struct stack_code *code, struct frame_state *state,
			    const struct stack_frame *frame, const struct frame_memory *memory,
			    bool *is_signal)
{
	const struct frame_rules *rules;

	*is_signal = false;
	if (!frame->is_known || !frame->place.frame)
		return step_by_pointer(state, memory);
	rules = stack_code__rules(code, &frame->place);
	if (!rules)
		return FRAME_STEP_FAILED;
	*is_signal = rules->is_signal;
	return frame_state__step(state, rules, &stack_code__file(code, frame->place.file)->frames, memory);
}

/*
 * Where Go's runtime begins a stack: a goroutine's, or a thread's own for its scheduler.  What rbp has there is of another stack;
 * none of these is returned to.  (Of systemstack, morestack and asmcgocall it would be a caller's.)
 */
static bool begins_go_stack(struct stack_code *code, const struct stack_frame *frame)
{
	static const char *const names[] = { "runtime.mcall", "runtime.mstart", "runtime.goexit", "runtime.rt0_go" };
	const char *name, *end;
	uint64_t start;
	size_t i;

	if (!frame->is_known || frame->place.frame)
		return false;
	name = stack_code__symbol(code, &frame->place, &start);
	for (i = 0; name && i < sizeof(names) / sizeof(*names); i++) {
		end = name + strlen(names[i]);
		if (!strncmp(name, names[i], strlen(names[i])) && (!*end || !strcmp(end, ".abi0")))
			return true;
	}
	return false;
}

size_t stack__unwind(struct stack_code *code, const uint64_t *registers, const struct frame_memory *memory,
		     struct stack_frame *frames, size_t room, bool *is_complete)
{
	struct frame_state state = { .known = (1u << FRAME_REGISTERS) - 1 };
	enum frame_step result = FRAME_STEP_CALLER;
	bool was_interrupted = true, is_signal;
	uint64_t before;
	size_t nr = 0;

	memcpy(state.registers, registers, sizeof(state.registers));
	while (nr < room && result == FRAME_STEP_CALLER) {
		struct stack_frame *frame = &frames[nr++];

		if (was_interrupted)
			stack_code__leave_jumps(code, memory, &state);
		/* A call that never returns may be the last instruction of its function. */
		frame->is_known = stack_code__find(code, state.registers[FRAME_RIP] - !was_interrupted, &frame->place);
		before = state.registers[FRAME_RSP];
		result = step(code, &state, frame, memory, &is_signal);
		/* Only a signal may have come on another stack. */
		if (result == FRAME_STEP_CALLER && state.registers[FRAME_RSP] <= before && !is_signal)
			result = FRAME_STEP_FAILED;
		frame->end = result == FRAME_STEP_CALLER ? state.registers[FRAME_RSP] : 0;
		was_interrupted = is_signal;
	}
	*is_complete = result == FRAME_STEP_START || (result == FRAME_STEP_FAILED && begins_go_stack(code, &frames[nr - 1]));
	return nr;
}
