/* SPDX-License-Identifier: GPL-2.0 */
/* Calls that a signal interrupts: they may go on as restart_syscall. */
#ifndef KVIEW_LEFT_BPF_H
#define KVIEW_LEFT_BPF_H

/* It is interrupted: what it took is known, but not yet whether it goes on. */
__noinline int call__leave(struct thread *t, struct call *call)
{
	if (!t || !call)
		return 0;
	thread__catch_up(t);
	t->ending.ended_ns = 0;
	ending__measure(&t->ending, t, &call->frame, bpf_get_current_task_btf(),
			cost__of_class(CALL_CLASS));
	call->left = t->ending;
	call->has_left = 1;
	return 0;
}

/* It did not go on, as a signal's handler ran: it ended when it was left.  Whether it is measured. */
__noinline int call__end_left(struct thread *t, struct call *call)
{
	struct xp_event_exit_causes *event = NULL;
	u64 reserved_ns = 0;
	int i;

	if (!t || !call)
		return 0;
	if (!call__counts(call, -EINTR)) {
		call->is_open = call->has_left = 0;
		return 0;
	}
	call__fails(call->frame.function, -EINTR);
	t->ending = call->left;
	t->ending.depth = t->depth;
	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	if (event) {
		t->ending.m.now_ns = bpf_ktime_get_ns();
		t->ending.m.cpu = this_cpu();
		event__exit(&event->exit, reserved_ns, &call->frame,
			    bpf_get_current_task_btf()->pid, &t->ending);
		for (i = 0; i < XP_CAUSES; i++)
			event->off_ns[i] = t->ending.times.causes ? t->ending.off_ns[i] : 0;
		event__submit(event);
	} else {
		event__lost();
	}
	times__add(&t->ending.times, t->ending.off_ns, call->frame.function);
	cost__call(call->frame.function, CALL_CLASS, &t->ending.times);
	call__sees_result(t, call, -EINTR);
	call->is_open = call->has_left = 0;
	return 1;
}

static __always_inline void call__split_left(struct thread *t, struct call *call)
{
	if (call__end_left(t, call) && has_splits)
		split__count(t, &call->frame, CALL_CLASS);
}

#endif
