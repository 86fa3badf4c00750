/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes the place of the programs of processes.bpf.h where the process has a view of the kernel.  Of their tracepoints a
 * view sees only that of forks.  So an execve is seen when the process gives up its old memory, and so is its end.
 *
 * Children that were forked are in a view of their own until they execute a program: they pay nothing at their context switches.
 */
#ifndef KVIEW_VIEW_PROCESSES_BPF_H
#define KVIEW_VIEW_PROCESSES_BPF_H

/* At the tracepoint sched_process_fork: parent, child. */
static __always_inline void view__forks(struct task_struct *parent, const struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *child = (struct task_struct *)ctx->args[1];

	if (BPF_CORE_READ(child, mm) != BPF_CORE_READ(parent, mm))
		child__is_probed(BPF_CORE_READ(child, tgid));
}

SEC("raw_tp")
int view_forks(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = bpf_get_current_task_btf();

	if (parent->tgid == target_tgid)
		view__forks(parent, ctx);
	return 0;
}

/* Only one thread at a time gets this far in an execve, and there it takes over the first thread's number. */
__u32 executing_tid;

/* At the entry of begin_new_exec(), which may still fail. */
SEC("kprobe")
int view_may_execute(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task->tgid == target_tgid)
		executing_tid = task->pid;
	return 0;
}

/*
 * Until the first instruction of the new program the process is in no view, so it is not seen how often it changes its
 * CPU meanwhile.  Its state starts afresh, but it is still counted as one thread.
 */
static __always_inline void thread__is_unseen(struct task_struct *task)
{
	struct thread *t = bpf_task_storage_get(&threads, task, NULL, 0);

	if (!t)
		return;
	if (t->known)
		__sync_fetch_and_add(&counters.threads, -1);
	thread__forget(task);
}

/* At the entry of exec_mm_release(): from here on the execve can no longer fail. */
SEC("kprobe")
int view_executes(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 *mark;

	if (task->tgid != target_tgid)
		return 0;
	mark = program__begins();
	process__executes(task, executing_tid, NULL);
	thread__is_unseen(task);
	program__ends(mark);
	return 0;
}

/* In the view of the children.  The process itself is in that view, too. */
SEC("raw_tp")
int view_child_forks(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *parent = bpf_get_current_task_btf();
	u32 tgid = parent->tgid;

	if (tgid != target_tgid && bpf_map_lookup_elem(&probed_children, &tgid))
		view__forks(parent, ctx);
	return 0;
}

/* At the entry of exec_mm_release(). */
SEC("kprobe")
int view_child_executes(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task->tgid != target_tgid)
		child__is_rid(task);
	return 0;
}

/* At the entry of exit_mm_release(). */
SEC("kprobe")
int view_child_ends(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task->tgid != target_tgid && task->pid == task->tgid)
		child__is_rid(task);
	return 0;
}

#endif
