/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The scheduler's side: when a traced thread left its CPU and why, when it was woken, and
 * when it runs again.  These programs run at the switches and wakeups of every process, so they
 * ask whose thread it is before anything else, and look up its state only then.
 *
 * A mechanism includes this after it has defined program__begins() and program__ends(), which surround what these
 * programs do, and thread__waits_in_probe(): whether a thread that is
 * taken off its CPU for that cause waits in a probe, whose time that is then, and no call's.  And thread__begins_wait(), which
 * hears which system call a thread is in that leaves its CPU; negative: in none.
 */
#ifndef KVIEW_SWITCHES_BPF_H
#define KVIEW_SWITCHES_BPF_H

static __always_inline void thread__leaves(struct thread *t, struct task_struct *task,
					   bool preempt, unsigned int state)
{
	struct xp_event_switch_out *event = NULL;
	u64 reserved_ns = 0;
	long syscall;
	u64 now;
	u8 cause;

	thread__catch_up(t);
	cause = cause__of_switch(&t->syscall, task, preempt, state, &syscall);
	thread__begins_wait(t, task, cause, syscall);
	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	now = bpf_ktime_get_ns();
	thread__out(t, task, cause, now);
	t->out_cause = thread__waits_in_probe(t, task, cause) ? OUT_IN_PROBE : cause;
	t->wake_ns = 0;
	WRITE_ONCE(t->generation, t->generation + 1);
	if (event) {
		event__head(&event->head, reserved_ns, XP_SWITCH_OUT, task->pid, this_cpu(), now);
		event->head.cause = cause;
		event->syscall = syscall;
		event->reserved = 0;
		event__submit(event);
	} else {
		event__lost();
	}
}

static __always_inline void thread__returns(struct thread *t, struct task_struct *task)
{
	struct xp_event_switch_in *event = NULL;
	u64 now, out, wake, reserved_ns = 0;

	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	now = bpf_ktime_get_ns();
	if (!t->out_ns)
		thread__heal_out(t, task, cause__of_unreported(&t->syscall, task), now);
	else
		thread__heal_run(t, task, now);
	out = t->out_ns;
	wake = t->out_cause == XP_PREEMPTED || t->out_cause == OUT_IN_PROBE ? out : t->wake_ns;
	if (wake < out || wake > now)
		wake = now;
	thread__in(t, task, now);
	if (event) {
		event__head(&event->head, reserved_ns, XP_SWITCH_IN, task->pid, this_cpu(), now);
		event->off_ns = now - out;
		event->queued_ns = now - wake;
		event__submit(event);
	} else {
		event__lost();
	}
}

struct xp_switches switches[XP_SWITCH_SLOTS];

static __always_inline void switches__count(u32 kind)
{
	u32 slot = BOUND(bpf_get_smp_processor_id(), XP_SWITCH_SLOTS - 1);

	__sync_fetch_and_add(&switches[slot].nr[kind], 1);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct thread *leaves, *comes;
	u64 *mark;

	if (!task__may_have_begun(prev) && !task__may_have_begun(next)) {
		cpu_clocks__look(prev);
		return 0;
	}
	leaves = bpf_task_storage_get(&threads, prev, NULL, 0);
	mark = program__begins();
	if (leaves) {
		thread__leaves(leaves, prev, preempt, prev_state);
		switches__count(XP_SWITCH_FOLLOWED);
	} else if (task__is_target(prev)) {
		switches__count(XP_SWITCH_PLAIN);
	}
	comes = bpf_task_storage_get(&threads, next, NULL, 0);
	if (comes)
		thread__returns(comes, next);
	else if (!leaves)
		cpu_clocks__look(prev);
	program__ends(mark);
	return 0;
}

static __always_inline void thread__wakes(struct thread *t, struct task_struct *task)
{
	struct xp_event_wakeup *event = NULL;
	u64 now, reserved_ns = 0;

	/* Events tell of an absence that was not reported as it began only when it ends. */
	if (!t->out_ns) {
		thread__is_woken(t, bpf_ktime_get_ns());
		return;
	}
	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	now = bpf_ktime_get_ns();
	thread__is_woken(t, now);
	if (event) {
		event__head(&event->head, reserved_ns, XP_WAKEUP, task->pid, this_cpu(), now);
		event->waker_tid = t->waker_tid;
		__builtin_memcpy(event->waker_comm, t->waker_comm, sizeof(event->waker_comm));
		event->reserved = 0;
		event__submit(event);
	} else {
		event__lost();
	}
}

/* The one time at which the thread is surely off and runnable, whoever woke it. */
SEC("tp_btf/sched_wakeup")
int BPF_PROG(sched_wakeup, struct task_struct *task)
{
	struct thread *t;
	u64 *mark;

	if (!task__may_have_begun(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!t)
		return 0;
	mark = program__begins();
	thread__wakes(t, task);
	program__ends(mark);
	return 0;
}

/* Loaded with events only: sched_wakeup may come on another CPU than the waker's. */
SEC("tp_btf/sched_waking")
int BPF_PROG(sched_waking, struct task_struct *task)
{
	struct thread *t;

	if (!task__may_have_begun(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!t)
		return 0;
	t->waker_tid = bpf_get_current_pid_tgid();
	bpf_get_current_comm(t->waker_comm, sizeof(t->waker_comm));
	return 0;
}

#include "own-switches.bpf.h"

/*
 * A thread ends, and its state with it: it goes on leaving and getting CPUs until it is dead, which would be
 * events of a thread that ended.
 */
static __always_inline void thread__end(struct task_struct *task)
{
	struct xp_event *event = NULL;
	u64 reserved_ns = 0;

	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	if (event) {
		event__head(event, reserved_ns, XP_THREAD_EXIT, task->pid, this_cpu(),
			    bpf_ktime_get_ns());
		event__submit(event);
	} else {
		event__lost();
	}
	bpf_task_storage_delete(&threads, task);
}

#endif
