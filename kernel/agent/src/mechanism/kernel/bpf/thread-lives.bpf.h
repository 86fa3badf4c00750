/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of the process, before their first call that is measured and after their last one. */
#ifndef KVIEW_THREAD_LIVES_BPF_H
#define KVIEW_THREAD_LIVES_BPF_H

/*
 * A thread's state is made where nothing of the kernel is interrupted by it: memory must not be asked for in a
 * function that may itself be giving memory.
 */
static __always_inline void thread__prepare(struct task_struct *task)
{
	/* Where there is no second one, calls are counted as lost. */
	if (bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE))
		bpf_task_storage_get(&open_calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	else
		WRITE_ONCE(unprepared, true);
}

/* Run before calls are measured. */
SEC("iter/task")
int prepare_threads(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (task && task__is_target(task))
		thread__prepare(task);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	u64 *mark;

	if (!task__is_target(child) || READ_ONCE(ended))
		return 0;
	/* It runs in the parent, which may be measured: what it calls is not the process's. */
	mark = program__begins();
	thread__prepare(child);
	program__ends(mark);
	return 0;
}

/* In a view, at the entry of calculate_sigpending(), by a new thread, with no lock held. */
SEC("kprobe")
int view_thread_begins(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task__is_target(task) && !READ_ONCE(ended))
		thread__prepare(task);
	return 0;
}

/* A thread that ends while it is looked at is counted once. */
static __always_inline void calls__unfinished(struct task_struct *task)
{
	struct calls_of_thread *calls = bpf_task_storage_get(&open_calls, task, NULL, 0);
	bool left_by_exec;
	u32 depth, i;

	if (!calls)
		return;
	left_by_exec = calls__left_by_exec(calls, task);
	depth = __sync_lock_test_and_set(&calls->depth, 0);
#pragma clang loop unroll(disable)
	for (i = 0; i < CALLS_DEPTH && i < depth; i++)
		if (left_by_exec)
			calls__lose(call__at(calls, i)->function, XP_LOST_EXEC);
		else
			calls__add(call__at(calls, i)->function, unfinished);
}

/* A thread of the process ends. */
static __always_inline void task__ends(struct task_struct *task)
{
	program__begins();
	if (task__is_leader(task) && leader_exit_code == -1)
		leader_exit_code = task->exit_code;
	if (!by_group() && !BPF_CORE_READ(task, signal, live.counter))
		WRITE_ONCE(ended, true);
	calls__unfinished(task);
	/* Without it nothing is measured of the thread's last steps. */
	if (bpf_task_storage_get(&threads, task, NULL, 0))
		thread__end(task);
	program_mark__clear();
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	if (task__may_have_begun(task))
		task__ends(task);
	return 0;
}

#endif
