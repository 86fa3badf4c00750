/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a call of a probed function. */
#ifndef KVIEW_FINISH_BPF_H
#define KVIEW_FINISH_BPF_H

/* Whether a call that ends is measured: by its condition, which was decided at its entry, or not. */
enum fate { FATE_MEASURED, FATE_UNMATCHED, FATE_UNMATCHED_AT_ENTRY };

/* Of the call of a frame.  cut: where it goes on nobody sees, so that what it returns is not known. */
__noinline int frame__fate(const struct frame *f, __u32 cut, __u64 returned)
{
	if (!has_conditions || !f || !(f->flags & (FRAME_DIFFERS | FRAME_UNDECIDED)))
		return FATE_MEASURED;
	if (f->flags & FRAME_DIFFERS) {
		calls__lose(f->function, XP_LOST_UNMATCHED);
		cost__add(f->function, cost__of_unmatched(f->class)->likely_ns);
		return FATE_UNMATCHED_AT_ENTRY;
	}
	if (cut && !condition__ignores_result(f->function))
		calls__lose(f->function, XP_LOST_END_UNSEEN);
	else if (condition__at_return(f->function, f->test, returned))
		return FATE_MEASURED;
	else
		calls__lose(f->function, XP_LOST_UNMATCHED);
	cost__add(f->function, cost__of_class(f->class)->likely_ns);
	return FATE_UNMATCHED;
}

/* Of the call that ends here.  is_unseen: nobody sees where it goes on. */
static __always_inline void thread__sees_result(struct thread *t, u64 returned, bool is_unseen)
{
	if (!has_conditions && !has_splits)
		return;
	t->ending.returned = returned;
	t->ending.returns_unseen = is_unseen;
}

/* The call of a frame ends, by an exit of this class. */
static __always_inline void frame__finish(struct thread *t, u32 index, u32 class, u64 ended_ns,
					  struct task_struct *task)
{
	struct frame *f = frame__at(t, index);

	call__measured(t, f, call__class(f, class), index, ended_ns, task);
	/*
	 * One that frames of other stacks lie above is left out, so that those that count lie within one
	 * another or apart.
	 */
	if (t->depth == index + 1)
		call__encloses(t, f, t->ending.times.wall_ns);
}

/* Global, so that the verifier looks at it once and its memory is not the callers'. */
__noinline int call__finish(struct thread *t, __u32 index, __u32 class, __u64 ended_ns)
{
	if (t)
		frame__finish(t, index, class, ended_ns, bpf_get_current_task_btf());
	return 0;
}

#endif
