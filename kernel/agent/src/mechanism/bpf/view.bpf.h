/* SPDX-License-Identifier: GPL-2.0 */
/*
 * In place of the programs at the scheduler's tracepoints, where the process has a view of the kernel: these
 * run in its own text, so that no other process's context switches, forks and ends pay for them.
 *
 * What a view does not see is done by others: wake-ups. How long a thread waited for a CPU the scheduler tells
 * itself; who woke it is not known.
 *
 * A mechanism includes this after it has defined what switches.bpf.h wants, and task__ends(), which is called as a thread of
 * the process ends.
 */
#ifndef KVIEW_VIEW_BPF_H
#define KVIEW_VIEW_BPF_H

/*
 * Followed threads that are off the CPU and were not woken, by their numbers: of a thread that is not the current one a program
 * like these has no state.  With events; max_entries is set before load.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u8);
} absent SEC(".maps");

/*
 * Where there is no room, a wake-up of it can't be told: it counts as lost now, as nobody will see whether it was one by a
 * thread of the process.
 */
static __always_inline void absent__begins(const struct thread *t, struct task_struct *task)
{
	u32 tid = task->pid;
	u8 is_absent = 1;

	if (with_events && bpf_map_update_elem(&absent, &tid, &is_absent, BPF_ANY) && t->out_cause != XP_PREEMPTED)
		event__lost();
}

static __always_inline void absent__ends(struct task_struct *task)
{
	u32 tid = task->pid;

	if (with_events)
		bpf_map_delete_elem(&absent, &tid);
}

/* Loaded with events only: at the tracepoint sched_waking, in a thread of the process that wakes one.  Of an absence the first is told. */
SEC("raw_tp")
int view_waking(struct bpf_raw_tracepoint_args *ctx)
{
	u32 tid = BPF_CORE_READ((struct task_struct *)ctx->args[0], pid);
	struct xp_event_wakeup *event;
	u64 now, reserved_ns = 0;
	bool is_absent;
	u64 *mark;

	if (!bpf_map_lookup_elem(&absent, &tid))
		return 0;
	mark = program__begins();
	event = event__reserve(sizeof(*event), &reserved_ns);
	now = bpf_ktime_get_ns();
	/* Who was preempted may have his CPU back by now.  If he has not yet, he will at a later time than this one. */
	is_absent = !bpf_map_delete_elem(&absent, &tid);
	if (!event) {
		if (is_absent)
			event__lost();
	} else if (is_absent) {
		event__head(&event->head, reserved_ns, XP_WAKEUP, tid, this_cpu(), now);
		event->waker_tid = bpf_get_current_pid_tgid();
		bpf_get_current_comm(event->waker_comm, sizeof(event->waker_comm));
		event->reserved = 0;
		event__submit(event);
	} else {
		bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
	}
	program__ends(mark);
	return 0;
}

/* At the tracepoint sched_switch: preempt, prev, next, prev_state. It is still the thread that leaves. */
SEC("raw_tp")
int view_switch_out(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t = bpf_task_storage_get(&threads, task, NULL, 0);
	u64 *mark;

	if (!t) {
		if (task__is_target(task))
			switches__count(XP_SWITCH_PLAIN);
		return 0;
	}
	mark = program__begins();
	/* A register holds a bool in its lowest byte, and in the others anything. */
	thread__leaves(t, task, (u8)ctx->args[0], ctx->args[3]);
	t->delay_at_out_ns = task->sched_info.run_delay;
	absent__begins(t, task);
	switches__count(XP_SWITCH_FOLLOWED);
	program__ends(mark);
	return 0;
}

/* When it was woken, by what the scheduler has added to its wait since it left. */
static __always_inline void thread__waited(struct thread *t, struct task_struct *task)
{
	u64 now = bpf_ktime_get_ns(), waited = task->sched_info.run_delay - t->delay_at_out_ns;
	u64 out = t->out_ns;

	if (out)
		t->wake_ns = now - out > waited ? now - waited : out;
}

/* At the entry of finish_task_switch(), which a thread runs in first. */
SEC("kprobe")
int view_switch_in(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t = bpf_task_storage_get(&threads, task, NULL, 0);
	u64 *mark;

	if (!t)
		return 0;
	mark = program__begins();
	absent__ends(task);
	thread__waited(t, task);
	thread__returns(t, task);
	program__ends(mark);
	return 0;
}

/* At the entry of exit_mm_release(), the last that a thread does in the view. */
SEC("kprobe")
int view_thread_ends(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task__may_have_begun(task))
		task__ends(task);
	return 0;
}

#endif
