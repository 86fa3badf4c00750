/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls whose end nobody sees: they are under way when their thread or the recording ends, or their end came while their
 * thread's state could not be had, see busy.bpf.h.  Those are lost; and where the next one was not seen to begin for the
 * same reason, the end of that one must not be taken for theirs.
 */
#ifndef KVIEW_UNSEEN_ENDS_BPF_H
#define KVIEW_UNSEEN_ENDS_BPF_H

/* That there was any. */
bool some_end_is_unseen;

/* To be called where no state was found: whether there is one. */
static __always_inline bool end__is_unseen(struct task_struct *task)
{
	u32 tid = task->pid;
	u64 *at_ns = states__can_be_busy() ? bpf_map_lookup_elem(&stateful, &tid) : NULL;

	if (!at_ns)
		return false;
	*at_ns = bpf_ktime_get_ns();
	WRITE_ONCE(some_end_is_unseen, true);
	return true;
}

static __always_inline bool call__ended_unseen(const struct call *call, u32 tid)
{
	const u64 *at_ns;

	if (!states__can_be_busy() || !READ_ONCE(some_end_is_unseen))
		return false;
	at_ns = bpf_map_lookup_elem(&stateful, &tid);
	return at_ns && call->frame.begin_ns < *at_ns;
}

/* Loses a call that has ended so. */
static __always_inline void call__drop_unseen(struct call *call, u32 tid)
{
	if (!call || !call->is_open || !call__ended_unseen(call, tid))
		return;
	call->is_open = call->has_left = 0;
	call__lose(call, XP_LOST_END_UNSEEN);
}

/* Whether a thread was in it.  One that ends while it is looked at is counted once. */
static __always_inline bool call__close(struct call *call)
{
	return __sync_lock_test_and_set(&call->is_open, 0);
}

/*
 * With its memory a process leaves the view in the midst of an execve, and comes back behind it: the end of that call is not
 * seen, nor that its thread may have become the first one.
 */
static __always_inline bool call__is_left_by_exec(const struct call *call, struct task_struct *task)
{
	return in_view && call->exec_id != task->self_exec_id;
}

/* call: NULL where the thread has made none. */
static __always_inline void call__follow_exec(struct call *call, struct task_struct *task)
{
	if (!call || !call__is_left_by_exec(call, task))
		return;
	state__moves(task, call->tid);
	call->exec_id = task->self_exec_id;
	call->tid = task->pid;
	call->has_left = 0;
	if (call__close(call))
		call__lose(call, XP_LOST_EXEC);
}

/* Nobody will see the call end that a thread is in, if it is in one.  False: that can't be known. */
static __always_inline bool call__unfinished(struct task_struct *task)
{
	struct call *call = bpf_task_storage_get(&open_calls, task, NULL, 0);

	if (!call)
		return !state__is_hidden(task);
	if (!call__close(call))
		return true;
	if (call__differs(call))
		calls__lose(call->frame.function, XP_LOST_UNMATCHED);
	else if (READ_ONCE(is_off))
		calls__lose(call->frame.function, XP_LOST_PROBES_OFF);
	else if (call__is_left_by_exec(call, task))
		calls__lose(call->frame.function, XP_LOST_EXEC);
	else if (call__ended_unseen(call, task->pid))
		calls__lose(call->frame.function, XP_LOST_END_UNSEEN);
	else
		calls__add(call->frame.function, unfinished);
	return true;
}

#endif
