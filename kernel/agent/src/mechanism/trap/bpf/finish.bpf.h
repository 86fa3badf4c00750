/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a call of a probed function. */
#ifndef KVIEW_FINISH_BPF_H
#define KVIEW_FINISH_BPF_H

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
