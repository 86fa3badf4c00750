/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where in the program a thread waits within a measured function.
 *
 * Programs are mostly built without frame pointers, so a stack can't be walked here: the agent unwinds a copy of it by the
 * files' own tables.  One copy is kept of all stacks that have one number.  It is made of everything that decides how a stack is
 * unwound: where the thread is, and each word up to the outermost measured function that points into code, or to a place of this
 * stack, with its distance from the stack pointer.  So stacks of one number have the same calls.  What earlier calls left in places
 * that nobody uses can make several numbers of one stack, which the agent puts together.
 */
#ifndef KVIEW_WAIT_USER_STACKS_BPF_H
#define KVIEW_WAIT_USER_STACKS_BPF_H

#include "mechanism/bpf/waits.h"

#if defined(__TARGET_ARCH_x86)
#define USER_STACKS_ARE_READ	1
#define USER_SP			7
#define USER_BP			6
#define USER_IP			16
#define RETURN_ADDRESS_BYTES	8
#else
/* The agent has no tables there. */
#define USER_STACKS_ARE_READ	0
#define USER_SP			0
#define USER_BP			0
#define USER_IP			0
#define RETURN_ADDRESS_BYTES	0
#endif

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u64);
	__type(value, struct xp_user_stack);
} user_stacks SEC(".maps");

/* Where one is read: too large for the programs' own stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_user_stack);
} read_user_stacks SEC(".maps");

/* Where the process has code, as the agent saw it last. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_code);
} process_code SEC(".maps");

bool user_stacks_full;

static __always_inline bool code__has(const struct xp_code *code, u64 address)
{
	u32 at = 0, step;

	if (address < code->starts[0] || address >= code->end)
		return false;
#pragma unroll
	for (step = XP_CODE_PIECES / 2; step; step /= 2)
		if (code->starts[BOUND(at + step, XP_CODE_PIECES - 1)] <= address)
			at += step;
	return address < code->ends[BOUND(at, XP_CODE_PIECES - 1)];
}

/* From the stack pointer on. */
struct stack_walk {
	const struct xp_user_stack *stack;
	const struct xp_code *code;
	u64 sp;
	u64 bytes;
	u64 number;
};

/* Several words in a round: a round takes longer than a word.  Behind the copy's last word may be some of an earlier one. */
#define WORDS_OF_ROUND	8

static long stack__count_words(u32 round, void *context)
{
	struct stack_walk *w = context;
	const struct xp_code *code = w->code;
	u64 sp = w->sp, bytes = w->bytes, number = w->number, word;
	u32 first = round * WORDS_OF_ROUND, i;

#pragma unroll
	for (i = 0; i < WORDS_OF_ROUND; i++) {
		if ((first + i) * 8 >= bytes)
			break;
		word = w->stack->words[BOUND(first, XP_USER_STACK_WORDS - WORDS_OF_ROUND) + i];
		if (word - sp <= bytes)
			number = number__with(number, (word - sp) << 10 | (first + i));
		else if (code__has(code, word))
			number = number__with(number, word << 10 | (first + i));
	}
	w->number = number;
	return 0;
}

/* How much of it belongs to calls of measured functions; 0: the outermost one is on another stack, or there is none. */
static __always_inline u64 stack__bytes(struct thread *t, u64 sp, u64 *end)
{
	u32 depth = t->depth;
	struct frame *f;

	if (!depth)
		return 0;
	f = frame__at(t, 0);
	if (f->function == FRAME_HOLE || f->sp < sp || f->sp - sp > 64 * XP_USER_STACK_BYTES)
		f = frame__at(t, depth - 1);
	if (f->function == FRAME_HOLE || f->sp < sp)
		return 0;
	*end = f->sp + RETURN_ADDRESS_BYTES;
	return *end - sp < XP_USER_STACK_BYTES ? *end - sp : XP_USER_STACK_BYTES;
}

/* Where calls of measured functions return to is not on the stack where the kernel has replaced it. */
static __always_inline u64 stack__keep_returns(struct xp_user_stack *stack, struct thread *t, u64 number)
{
	u32 depth = t->depth, i;
	struct frame *f;

	for (i = 0; i < XP_USER_STACK_CALLS; i++) {
		f = i < depth ? frame__at(t, depth - 1 - i) : NULL;
		stack->returns[i].to = f && f->function != FRAME_HOLE ? f->returns_to : 0;
		stack->returns[i].sp = stack->returns[i].to ? f->sp : 0;
		number = number__with(number, stack->returns[i].to);
	}
	return number;
}

static __always_inline u64 user_stack__of(struct thread *t, const struct pt_regs *regs)
{
	struct xp_user_stack *stack;
	struct stack_walk w = { .number = 0xcbf29ce484222325ULL };
	u32 zero = 0;
	u64 end = 0;

	if (!USER_STACKS_ARE_READ)
		return XP_STACK_UNKNOWN;
	w.code = bpf_map_lookup_elem(&process_code, &zero);
	stack = bpf_map_lookup_elem(&read_user_stacks, &zero);
	/* Before the agent has told where code is, all stacks would be one. */
	if (!w.code || !stack || !w.code->ends[0])
		return XP_STACK_UNKNOWN;
	w.sp = REGS_USER_SP(regs);
	w.bytes = stack__bytes(t, w.sp, &end);
	if (w.bytes < 8 || w.bytes > XP_USER_STACK_BYTES ||
	    bpf_probe_read_user(stack->words, BOUND(w.bytes - 1, XP_USER_STACK_BYTES - 1) + 1, (void *)w.sp))
		return XP_STACK_UNKNOWN;
	registers__take(stack->registers, regs);
	stack->end = end;
	stack->nr_bytes = w.bytes;
	stack->reserved = 0;
	w.stack = stack;
	w.number = number__with(number__with(w.number, stack->registers[USER_IP]), end - w.sp);
	if (stack->registers[USER_BP] - w.sp <= w.bytes)
		w.number = number__with(w.number, stack->registers[USER_BP] - w.sp);
	w.number = stack__keep_returns(stack, t, w.number);
	bpf_loop((w.bytes + 8 * WORDS_OF_ROUND - 1) / (8 * WORDS_OF_ROUND), stack__count_words, &w, 0);
	if (w.number <= XP_STACK_NO_ROOM)
		w.number = ~w.number;
	if (bpf_map_lookup_elem(&user_stacks, &w.number))
		return w.number;
	if (READ_ONCE(user_stacks_full))
		return XP_STACK_NO_ROOM;
	if (bpf_map_update_elem(&user_stacks, &w.number, stack, BPF_NOEXIST) == -E2BIG)
		WRITE_ONCE(user_stacks_full, true);
	return bpf_map_lookup_elem(&user_stacks, &w.number) ? w.number : XP_STACK_NO_ROOM;
}

#endif
