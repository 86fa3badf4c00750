/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends of calls that were not seen to begin.  A thread can have been in one call when the recording began, not in more.
 * Any other has not come to the tracepoint at the entry, as a filter of the process (seccomp) answered it before: nobody
 * knows how long that took, and that it was made is told as a loss.
 */
#ifndef KVIEW_NEVER_BEGUN_BPF_H
#define KVIEW_NEVER_BEGUN_BPF_H

/* When the recording began: CLOCK_MONOTONIC. */
__u64 began_ns;

/* Of a thread without calls so far, the first one: from now on it has state, in which no call is open. */
static __always_inline bool stray__is_early(struct task_struct *task)
{
	if (thread__of(task))
		bpf_task_storage_get(&open_calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	/* Or it came into the cgroup by the call. */
	return by_cgroup || task->start_time < began_ns;
}

/* is_hidden: the thread's state can't be had just now, and the call is lost for that.  has_state: both. */
static __always_inline void stray__count(struct task_struct *task, struct call *call, bool is_hidden, bool has_state,
					 u64 number, s64 result)
{
	u32 point = point__of(number);

	/* A new thread returns from the call that its creator made. */
	if (!point || (point & SC_CREATES && !result))
		return;
	calls__add(SC_ID(point), returns);
	if (is_hidden || (!call && stray__is_early(task)))
		return;
	calls__add(SC_ID(point), never_begun);
	/* Where it can be hidden, that may have been so as the call began. */
	if (!has_state || states__can_be_busy())
		calls__add(SC_ID(point), stateless);
}

#endif
