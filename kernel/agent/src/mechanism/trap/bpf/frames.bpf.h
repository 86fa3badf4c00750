/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probed calls that a thread is in, outermost first.
 *
 * If nothing switches stacks (one_stack), the stack pointer shows whether a frame is dead, as in
 * the kernel's own return probes: a deeper call has a smaller sp, so where the thread runs at sp
 * every frame below it was left by longjmp or an exception.  The alternate signal stack is known
 * (sas_ss_sp).  While a handler runs on it, frames of the interrupted stack live; once the thread
 * runs elsewhere, frames on it are dead (siglongjmp).
 *
 * Elsewhere sp says nothing of a frame below it: that may be a call that waits on another
 * stack.  It is dead when its return address is no longer where it was at entry, or when a
 * call enters at the very same sp, or another thread was there (strays.bpf.h).  Until then it
 * stays, and where there is no room for new ones all are looked at.  An exit must match sp and
 * function.
 */
#ifndef KVIEW_FRAMES_BPF_H
#define KVIEW_FRAMES_BPF_H

/* Without a known place of the return address: stacks further apart are different ones. */
#define STACK_SPAN	(16ULL << 20)
#define PURGE_WAIT	64

static __always_inline struct frame *frame__at(struct thread *t, u32 index)
{
	return &t->frames[BOUND(index, XP_DEPTH - 1)];
}

static __always_inline bool sp__is_on_alt(struct task_struct *task, u64 sp)
{
	u64 size;

	if (!one_stack)
		return false;
	size = task->sas_ss_size;
	return size && sp > task->sas_ss_sp && sp - task->sas_ss_sp <= size;
}

/*
 * Return probes that the kernel keeps for a thread now.  It has a limit for those of all tools
 * together, and looks at it right after this.
 */
static __always_inline u32 uretprobes__pending(struct thread *t, struct task_struct *task)
{
	struct uprobe_task *utask;

	if (!bpf_core_field_exists(task->utask) ||
	    !bpf_core_field_exists(((struct uprobe_task *)0)->depth))
		return t->uretprobes;
	utask = task__plain(task)->utask;
	return utask ? utask->depth : 0;
}

/*
 * A call that jumps to another function leaves its own return address in place.  With a
 * return probe that is the kernel's trampoline, at the entry of the function jumped to.
 */
static __always_inline bool sp__returns_to_trampoline(struct task_struct *task, u64 sp)
{
	u64 trampoline = trampoline__of(task);

	return trampoline && return_address(task, sp) == trampoline;
}

/* Whether a frame's return address is still there; unknown where it can't be read now. */
static __noinline bool frame__is_in_place(const struct frame *f, bool unknown)
{
	u64 now = 0, trampoline;

	if (!return_slot__read(f->sp, &now))
		return unknown;
	/* 0: the process has none yet, and a stack that was freed reads so as well. */
	trampoline = trampoline__of(bpf_get_current_task_btf());
	return now == f->returns_to || (trampoline && now == trampoline);
}

/*
 * Whether the call of a frame can still return, when its thread runs at sp.  same_sp is
 * the answer for a frame at exactly sp.
 */
static __always_inline bool frame__is_live(const struct frame *f, u64 sp, bool on_alt,
					   bool same_sp)
{
	bool frame_on_alt = f->flags & FRAME_ON_ALT;

	if (one_stack && frame_on_alt != on_alt)
		return on_alt;
	if (f->sp == sp)
		return same_sp;
	if (f->sp > sp)
		return true;
	if (one_stack)
		return false;
	return f->returns_to ? frame__is_in_place(f, true) : sp - f->sp >= STACK_SPAN;
}

/* Whether calls of a measured function may go on in another one; the verifier leaves out what is for those alone. */
volatile const bool calls_go_on;

/* A frame ends, one way or another. */
static __always_inline void frame__release(struct thread *t, struct frame *f)
{
	if (f->flags & FRAME_URETPROBE && t->uretprobes)
		t->uretprobes--;
	if (calls_go_on && f->flags & FRAME_GOES_ON && t->waiting)
		t->waiting--;
	thread__closes(t, f);
	f->function = FRAME_HOLE;
}

/* Nothing is told of a call that its condition is not true of, whatever becomes of it. */
static __always_inline bool frame__differs(const struct frame *f)
{
	return has_conditions && f->flags & FRAME_DIFFERS;
}

/* Its call ended where its thread's probes don't see it. */
static __always_inline void frame__lose(struct thread *t, struct frame *f)
{
	if (frame__differs(f))
		calls__lose(f->function, XP_LOST_UNMATCHED);
	else if (function__is_off(f->function) || frame__link_is_gone(f))
		calls__lose(f->function, XP_LOST_PROBES_OFF);
	else
		calls__lose(f->function, XP_LOST_END_UNSEEN);
	thread__pays_entry(t, f);
	frame__release(t, f);
}

static __always_inline void frame__abandon(struct thread *t, struct frame *f)
{
	if (f->function == FRAME_HOLE)
		return;
	if (frame__differs(f))
		calls__lose(f->function, XP_LOST_UNMATCHED);
	else if (function__is_off(f->function) || frame__link_is_gone(f))
		calls__lose(f->function, XP_LOST_PROBES_OFF);
	else if (frame__is_of_unseen_exec(f))
		calls__lose(f->function, XP_LOST_EXEC);
	else if (f->flags & FRAME_GOES_ON || frame__ended_unseen(f, t->tgid))
		calls__lose(f->function, XP_LOST_END_UNSEEN);
	else if (has_conditions && f->flags & FRAME_UNDECIDED)
		/* It returned nothing. */
		calls__lose(f->function, XP_LOST_UNMATCHED);
	else
		calls__add(f->function, abandoned);
	thread__pays_entry(t, f);
	frame__release(t, f);
}

/*
 * Walks over frames, from the top.  bpf_loop, since the verifier follows each round of a
 * plain loop; the top frame, which nearly always is the answer, is looked at before.
 */
struct walk {
	struct thread *t;
	u64 sp;
	u64 inner_sp;		/* of the frame within */
	u32 depth;
	u32 floor;		/* frames beneath it are left alone */
	u32 kept;
	u32 given_up;		/* so many outermost ones are */
	u32 function;
	bool on_alt;
	bool found;
	bool unordered;
};

/*
 * A call can begin where another one waits if that one went on to it by a jump: the probe on
 * the jump has told, or the return address that the kernel replaced for it is still there.
 */
static __always_inline bool walk__may_share_sp(const struct walk *w, const struct frame *f)
{
	if (f->flags & FRAME_GOES_ON)
		return w->t->jumped_sp == w->sp;
	return f->flags & FRAME_URETPROBE &&
	       sp__returns_to_trampoline(bpf_get_current_task_btf(), w->sp);
}

/* The next frame towards the outermost one, which depth is then the index of; NULL: none. */
static __always_inline struct frame *walk__next(struct walk *w)
{
	if (!w->depth)
		return NULL;
	w->depth--;
	return frame__at(w->t, w->depth);
}

static long walk__drop(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f;
	bool same_sp;

	if (w->depth <= w->floor)
		return 1;
	f = frame__at(w->t, w->depth - 1);
	if (f->function != FRAME_HOLE) {
		same_sp = f->sp == w->sp && walk__may_share_sp(w, f);
		if (frame__is_live(f, w->sp, w->on_alt, same_sp))
			return 1;
		frame__abandon(w->t, f);
	}
	w->depth--;
	return 0;
}

/*
 * Always 0, but the verifier does not know that.  A value that one round passes to the next must
 * not start as a constant that the verifier knows: Linux 6.18 would then treat every round as the
 * first one, and remove branches that only later rounds take.
 */
__u64 unknown_zero;

/* A call enters at sp: what is found there beneath frames of other stacks is dead. */
static long walk__drop_same(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f = walk__next(w);

	if (!f)
		return 1;
	if (f->function == FRAME_HOLE)
		return 0;
	if (f->sp == w->sp && !walk__may_share_sp(w, f)) {
		frame__abandon(w->t, f);
		return 0;
	}
	if (f->sp < w->inner_sp)
		w->unordered = true;
	w->inner_sp = f->sp;
	return 0;
}

/* Global, like others: the verifier looks at it once and not at each way to each call. */
__noinline int frames__drop_slowly(struct thread *t, __u64 sp, __u32 on_alt, __u32 floor)
{
	struct walk w = {
		.t = t, .sp = sp, .floor = floor, .on_alt = on_alt, .inner_sp = unknown_zero,
	};

	if (!t)
		return 0;
	w.depth = t->depth;
	bpf_loop(XP_DEPTH, walk__drop, &w, 0);
	t->depth = w.depth;
	if (one_stack || floor)
		return 0;
	bpf_loop(XP_DEPTH, walk__drop_same, &w, 0);
	t->unordered = w.unordered;
	return 0;
}

/* Abandons frames above floor that are dead now that the thread runs at sp. */
static __always_inline void frames__drop(struct thread *t, u64 sp, bool on_alt, u32 floor)
{
	u32 depth = t->depth;
	struct frame *top;

	if (t->overflow_sp && sp > t->overflow_sp)
		t->overflow_sp = 0;
	if (!depth) {
		t->unordered = 0;
		t->overflowed = 0;
		return;
	}
	top = frame__at(t, depth - 1);
	if (top->function != FRAME_HOLE && !t->unordered && top->sp > sp &&
	    !(top->flags & FRAME_ON_ALT && !on_alt))
		return;
	frames__drop_slowly(t, sp, on_alt, floor);
}

static long walk__purge(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f;

	if (w->kept >= w->depth || round >= w->depth)
		return 1;
	f = frame__at(w->t, round);
	if (f->function == FRAME_HOLE)
		return 0;
	if (round < w->given_up || (!one_stack && f->returns_to && !frame__is_in_place(f, false))) {
		frame__abandon(w->t, f);
		return 0;
	}
	if (w->kept != round) {
		*frame__at(w->t, w->kept) = *f;
		measures__move(w->kept, round);
	}
	w->kept++;
	return 0;
}

/* No room is left: looks at all frames, and closes the gaps. */
__noinline int frames__purge(struct thread *t)
{
	struct walk w = { .t = t, .kept = unknown_zero };

	if (!t)
		return 0;
	if (t->purge_wait) {
		t->purge_wait--;
		return 0;
	}
	w.depth = t->depth;
	bpf_loop(XP_DEPTH, walk__purge, &w, 0);
	if (calls_are_pairs && w.kept >= w.depth) {
		w.kept = unknown_zero;
		w.given_up = PAIRS_GIVEN_UP;
		bpf_loop(XP_DEPTH, walk__purge, &w, 0);
	}
	t->depth = w.kept;
	if (!calls_are_pairs && w.kept > XP_DEPTH - PURGE_WAIT / 4)
		t->purge_wait = PURGE_WAIT;
	return 0;
}

static long walk__find(u32 round, void *context)
{
	struct walk *w = context;
	struct frame *f = walk__next(w);

	if (!f)
		return 1;
	w->found = f->sp == w->sp && (f->function == w->function ||
		   (w->function == FRAME_WAITING && f->function != FRAME_HOLE &&
		    f->flags & FRAME_GOES_ON));
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

/*
 * A pair begins where its last begin without an end was: that one was left without, by an error that jumped over it.  Frames of pairs
 * keep the place as their argument.
 */
static __always_inline void frames__give_up_same(struct thread *t, u32 function, u64 place)
{
	int index = frames__find(t, PAIR_SP, function);
	struct frame *f;

	if (index < 0)
		return;
	f = frame__at(t, index);
	if (f->argument != place)
		return;
	frame__abandon(t, f);
	if (t->depth == index + 1)
		t->depth = index;
}

/* Removes the frame at index, which returns, and abandons dead ones above it. */
static __always_inline void frames__remove(struct thread *t, u32 index, u64 sp, bool on_alt)
{
	struct frame *f = frame__at(t, index);

	frame__release(t, f);
	if (t->depth == index + 1) {
		t->depth = index;
		return;
	}
	/* Beneath frames of another stack it stays as a hole. */
	frames__drop(t, sp, on_alt, index);
}

#endif
