/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probed calls that a thread is in, outermost first.
 *
 * A frame is told dead by the stack pointer, as the kernel does it for return probes: on
 * one stack a deeper call has a smaller sp, so where the thread runs at sp every frame
 * below it was left by longjmp or an exception.  Two stacks can't be compared that way:
 *
 *  - The alternate signal stack is known exactly (sas_ss_sp).  While a handler runs on it,
 *    frames of the interrupted stack live; once the thread runs elsewhere, frames on it are
 *    dead (siglongjmp), for a handler can't be suspended.
 *  - Other stacks (coroutines) are taken for another one when they are further away than
 *    STACK_SPAN: their frames are kept, and end beneath others as holes.  Coroutines with
 *    stacks closer together lose calls as abandoned; times are never mixed up, since an
 *    exit must match sp and function.
 */
#ifndef KVIEW_FRAMES_BPF_H
#define KVIEW_FRAMES_BPF_H

#define STACK_SPAN	(16ULL << 20)

static __always_inline struct frame *frame__at(struct thread *t, u32 index)
{
	return &t->frames[BOUND(index, XP_DEPTH - 1)];
}

static __always_inline bool sp__is_on_alt(struct task_struct *task, u64 sp)
{
	u64 size = task->sas_ss_size;

	return size && sp > task->sas_ss_sp && sp - task->sas_ss_sp <= size;
}

/*
 * Whether the call of a frame can still return, when its thread runs at sp.  same_sp is
 * the answer for a frame at exactly sp.
 */
static __always_inline bool frame__is_live(const struct frame *f, u64 sp, bool on_alt,
					   bool same_sp)
{
	bool frame_on_alt = f->flags & FRAME_ON_ALT;

	if (frame_on_alt != on_alt)
		return on_alt;
	if (f->sp == sp)
		return same_sp;
	return f->sp > sp || sp - f->sp >= STACK_SPAN;
}

/*
 * A call that jumps to another function leaves its own return address in place.  With a
 * return probe that is the kernel's trampoline, at the entry of the function jumped to.
 */
static __always_inline bool sp__returns_to_trampoline(struct task_struct *task, u64 sp)
{
	struct xol_area *area;
	u64 trampoline;

	area = BPF_CORE_READ(task, mm, uprobes_state.xol_area);
	if (!area)
		return false;
	trampoline = BPF_CORE_READ(area, vaddr);
	return trampoline && return_address(task, sp) == trampoline;
}

/* A frame ends, one way or another. */
static __always_inline void frame__release(struct thread *t, struct frame *f)
{
	if (f->flags & FRAME_URETPROBE && t->uretprobes)
		t->uretprobes--;
}

static __always_inline void frame__abandon(struct thread *t, struct frame *f)
{
	if (f->function == FRAME_HOLE)
		return;
	calls__add(f->function, abandoned);
	frame__release(t, f);
}

/*
 * Walks over frames, from the top.  bpf_loop, since the verifier follows each round of a
 * plain loop; the top frame, which nearly always is the answer, is looked at before.
 */
struct walk {
	struct thread *t;
	u64 sp;
	u32 depth;
	u32 floor;		/* frames beneath it are left alone */
	u32 function;
	bool on_alt;
	bool found;
};

static __always_inline bool walk__is_live(const struct walk *w, const struct frame *f)
{
	bool same_sp = f->sp == w->sp && f->flags & FRAME_URETPROBE &&
		       sp__returns_to_trampoline(bpf_get_current_task_btf(), w->sp);

	return frame__is_live(f, w->sp, w->on_alt, same_sp);
}

static long walk__drop(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f;

	if (w->depth <= w->floor)
		return 1;
	f = frame__at(w->t, w->depth - 1);
	if (f->function != FRAME_HOLE) {
		if (walk__is_live(w, f))
			return 1;
		frame__abandon(w->t, f);
	}
	w->depth--;
	return 0;
}

/* Global, like others: the verifier looks at it once and not at each way to each call. */
__noinline int frames__drop_slowly(struct thread *t, __u64 sp, __u32 on_alt, __u32 floor)
{
	struct walk w = { .t = t, .sp = sp, .floor = floor, .on_alt = on_alt };

	if (!t)
		return 0;
	w.depth = t->depth;
	bpf_loop(XP_DEPTH, walk__drop, &w, 0);
	t->depth = w.depth;
	return 0;
}

/* Abandons frames above floor that are dead now that the thread runs at sp. */
static __always_inline void frames__drop(struct thread *t, u64 sp, bool on_alt, u32 floor)
{
	u32 depth = t->depth;
	struct frame *top;

	if (t->overflow_sp && sp > t->overflow_sp)
		t->overflow_sp = 0;
	if (!depth)
		return;
	top = frame__at(t, depth - 1);
	if (top->function != FRAME_HOLE && top->sp != sp &&
	    frame__is_live(top, sp, on_alt, false))
		return;
	frames__drop_slowly(t, sp, on_alt, floor);
}

static long walk__find(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f;

	if (!w->depth)
		return 1;
	w->depth--;
	f = frame__at(w->t, w->depth);
	w->found = f->sp == w->sp && f->function == w->function;
	return w->found;
}

__noinline int frames__find_slowly(struct thread *t, __u64 sp, __u32 function)
{
	struct walk w = { .t = t, .sp = sp, .function = function };

	if (!t)
		return -1;
	w.depth = t->depth;
	bpf_loop(XP_DEPTH, walk__find, &w, 0);
	return w.found ? w.depth : -1;
}

/* The index of the frame that returns, or -1. */
static __always_inline int frames__find(struct thread *t, u64 sp, u32 function)
{
	u32 depth = t->depth;
	struct frame *top;

	if (!depth)
		return -1;
	top = frame__at(t, depth - 1);
	if (top->sp == sp && top->function == function)
		return depth - 1;
	return frames__find_slowly(t, sp, function);
}

/* Removes the frame at index, which returns, and abandons dead ones above it. */
static __always_inline void frames__remove(struct thread *t, u32 index, u64 sp, bool on_alt)
{
	struct frame *f = frame__at(t, index);

	frame__release(t, f);
	f->function = FRAME_HOLE;
	if (t->depth == index + 1) {
		t->depth = index;
		return;
	}
	/* Beneath frames of another stack it stays as a hole. */
	frames__drop(t, sp, on_alt, index);
}

#endif
