/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In place of the programs at the scheduler's tracepoints: each traced thread has a perf event that counts its own context
 * switches, so that nothing of this runs at other processes'.  Of these the kernel looks for events, which is less.  The event is the switch-out, in the thread that leaves.  What is not
 * told, the switch-in and the wake-up, the scheduler's own account has, where the thread next looks (thread__arrived()):
 *
 *	out_ns ........... woken ............ last_arrival			a probe
 *	|  its cause      | run_delay's growth |  on the CPU, of which ...	| now
 *
 * switches.bpf.h includes this.
 */
#ifndef KVIEW_OWN_SWITCHES_BPF_H
#define KVIEW_OWN_SWITCHES_BPF_H

/* The scheduler has taken it out of the queue of those that can run, or will. */
static __always_inline bool task__waits(struct task_struct *task)
{
	if (bpf_core_field_exists(task->se.sched_delayed) && task->se.sched_delayed)
		return true;
	return !task->on_rq;
}

/* Who wakes it may be at work already: its state is then another one, and not 0. */
static __always_inline unsigned int task__waits_in(struct task_struct *task)
{
	return task__waits(task) ? task->__state ?: 1 : 0;
}

/* In the midst of settling the one before: it will look at this one behind that. */
static __always_inline void thread__leaves_later(struct thread *t, struct task_struct *task)
{
	struct departure *later = &t->later;
	long syscall;

	/* It has run for an instant since the first one that it has not settled. */
	if (later->out_ns)
		return;
	later->cause = cause__of_switch(&t->syscall, task, false, task__waits_in(task), &syscall);
	later->exec_ns = task->se.sum_exec_runtime;
	later->delay_ns = task->sched_info.run_delay;
	later->arrivals = task->sched_info.pcount;
	later->out_ns = bpf_ktime_get_ns();
}

SEC("perf_event")
int own_switch_out(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 *mark, clock = cpu_clock__see(rq__of(task));
	struct thread *t;

	t = task__may_have_begun(task) ? bpf_task_storage_get(&threads, task, NULL, 0) : NULL;
	if (!t || !t->known) {
		if (task__is_target(task))
			switches__count(XP_SWITCH_PLAIN);
		cpu_clock__is_left(clock);
		return 0;
	}
	/* It has two events, as it was made while its maker got one. */
	if (t->out_ns && !thread__has_arrived(t, task))
		return 0;
	mark = program__begins();
	if (t->settles)
		thread__leaves_later(t, task);
	else
		thread__leaves(t, task, false, task__waits_in(task));
	cpu_clock__is_left(clock);
	switches__count(XP_SWITCH_FOLLOWED);
	program__ends(mark);
	return 0;
}

/* The agent runs it on each CPU, a moment after the scheduler has looked at its clock there. */
SEC("raw_tp")
int own_switch_clock(void *ctx)
{
	cpu_clock__see(rq__of(bpf_get_current_task_btf()));
	return 0;
}

#endif
