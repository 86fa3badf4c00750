/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls that are measured by a condition.  One that it is not true of is followed to its end as others are, so that this is not
 * taken for another one's, and is in no figure.
 */
#ifndef KVIEW_CONDITIONAL_BPF_H
#define KVIEW_CONDITIONAL_BPF_H

/* Global, with a frame of its own for the values. */
__noinline int call__test(__u32 point)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct xp_values values = { .of = SYSTEM_CALL_ARGUMENTS(regs) };

	return has_conditions ? condition__at_entry_of(point, &values) : XP_MATCHES;
}

/* Likewise, the one that its figures are split by. */
__noinline long call__argument(__u32 point)
{
	struct task_struct *task = bpf_get_current_task_btf();
	const struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	const struct xp_values values = { .of = SYSTEM_CALL_ARGUMENTS(regs) };

	return has_splits ? split__argument(point, &values) : 0;
}

static __always_inline void call__sees_result(struct thread *t, const struct call *call, s64 result)
{
	if (!has_splits)
		return;
	t->ending.returned = result;
	t->ending.returns_unseen = call->frame.function == resultless_point;
}

static __always_inline bool call__differs(const struct call *call)
{
	return has_conditions && call->frame.flags & FRAME_DIFFERS;
}

static __always_inline void call__lose(const struct call *call, u32 way)
{
	if (call__differs(call))
		calls__lose(call->frame.function, XP_LOST_UNMATCHED);
	else
		calls__lose(call->frame.function, way);
}

/* Of one that has ended with this result: whether it is measured; else it is counted. */
static __always_inline bool call__counts(const struct call *call, s64 result)
{
	const struct frame *f = &call->frame;

	if (!has_conditions || !(f->flags & (FRAME_DIFFERS | FRAME_UNDECIDED)) ||
	    (f->flags & FRAME_UNDECIDED && f->function != resultless_point &&
	     condition__at_return(f->function, f->test, result)))
		return true;
	calls__lose(f->function, XP_LOST_UNMATCHED);
	return false;
}

#endif
