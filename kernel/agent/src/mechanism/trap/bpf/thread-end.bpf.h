/* SPDX-License-Identifier: GPL-2.0 */
/* A thread ends, or the recording does, while calls still run. */
#ifndef KVIEW_THREAD_END_BPF_H
#define KVIEW_THREAD_END_BPF_H

static long frame__unfinished(u32 index, void *context)
{
	struct walk *w = context;
	struct frame *f;

	if (index >= w->depth)
		return 1;
	f = frame__at(w->t, index);
	if (f->function == FRAME_HOLE)
		return 0;
	/* found: its memory can be looked at. */
	if (w->found && !one_stack && f->returns_to && !frame__is_in_place(f, true))
		frame__abandon(w->t, f);
	else if (frame__differs(f))
		calls__lose(f->function, XP_LOST_UNMATCHED);
	else if (function__is_off(f->function) || frame__link_is_gone(f))
		calls__lose(f->function, XP_LOST_PROBES_OFF);
	else if (frame__is_of_unseen_exec(f))
		calls__lose(f->function, XP_LOST_EXEC);
	else if (frame__ended_unseen(f, w->t->tgid))
		calls__lose(f->function, XP_LOST_END_UNSEEN);
	else
		calls__add(f->function, unfinished);
	return 0;
}

static __always_inline void frames__unfinished(struct thread *t, bool is_current)
{
	/* A thread that ends while it is looked at is counted once. */
	struct walk w = {
		.t = t, .depth = __sync_lock_test_and_set(&t->depth, 0), .found = is_current,
	};

	bpf_loop(XP_DEPTH, frame__unfinished, &w, 0);
}

static __always_inline int thread__is_over(struct task_struct *task)
{
	struct thread *t;

	if (task__is_leader(task))
		leader_exit_code = task->exit_code;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!t && !state__is_hidden(task))
		return 0;
	thread__gone(task);
	if (!t) {
		__sync_fetch_and_add(&counters.threads_unseen, 1);
		return 0;
	}
	frames__unfinished(t, true);
	thread__end(task);
	return 0;
}

/* A thread of the process. */
static __always_inline void task__ends(struct task_struct *task)
{
	u64 *mark = program__begins();

	thread__is_over(task);
	program__ends(mark);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	if (task__may_have_begun(task))
		task__ends(task);
	return 0;
}

/* Run once everything is detached: calls that are still running will not be seen ending. */
SEC("iter/task")
int count_running(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct thread *t;

	if (!task || !task__may_have_begun(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (t)
		frames__unfinished(t, false);
	else if (state__is_hidden(task))
		running_unseen = true;
	return 0;
}

#endif
