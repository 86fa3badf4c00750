/* SPDX-License-Identifier: GPL-2.0 */
/* What becomes of the traced process: children with a copy of its code, another program. */
#ifndef KVIEW_PROCESSES_BPF_H
#define KVIEW_PROCESSES_BPF_H

/* Children that have probes in their code; the agent takes out what it has freed. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, u32);
	__type(value, u8);
} probed_children SEC(".maps");

/* A process that was forked has memory of its own, with the probes in it. */
static __always_inline void child__is_probed(u32 tgid)
{
	u64 *mark = program__begins();
	u8 probed = 1;

	__sync_fetch_and_add(&counters.children, 1);
	if (bpf_map_update_elem(&probed_children, &tgid, &probed, BPF_ANY))
		__sync_fetch_and_add(&counters.children_missed, 1);
	process__tell(tgid, XP_TOLD_CHILD);
	program__ends(mark);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(sched_process_fork, struct task_struct *parent, struct task_struct *child)
{
	u32 parent_tgid = parent->tgid;

	if (group__is_measured()) {
		if (child->mm != parent->mm)
			calls__inherit(parent, child);
		return 0;
	}
	if (parent_tgid != target_tgid && !bpf_map_lookup_elem(&probed_children, &parent_tgid))
		return 0;
	/* With the same memory it shares the probes, until it executes a program. */
	if (child->mm != parent->mm)
		child__is_probed(child->tgid);
	return 0;
}

/*
 * A child is rid of its probes without the agent: all of its CPU time is what they can have cost
 * it.  Whoever takes it out of the map counts that.
 */
static __always_inline void child__is_rid(struct task_struct *task)
{
	u64 now, accounted, lived, cpu;
	u32 tgid = task->tgid;

	if (bpf_map_delete_elem(&probed_children, &tgid))
		return;
	now = bpf_ktime_get_ns();
	lived = now - task->start_time;
	accounted = task__accounted_ns(task);
	/* The scheduler's account is late by up to a tick. */
	cpu = accounted && accounted <= now ? task->se.sum_exec_runtime + now - accounted : lived;
	__sync_fetch_and_add(&counters.children_cpu_ns, cpu < lived ? cpu : lived);
}

static long frame__lost_by_exec(u32 index, void *context)
{
	struct walk *w = context;
	struct frame *f;

	if (index >= w->depth)
		return 1;
	f = frame__at(w->t, index);
	if (f->function != FRAME_HOLE)
		calls__lose(f->function, XP_LOST_EXEC);
	return 0;
}

/* The proof was for the former program. */
static __always_inline void code__is_replaced(struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	WRITE_ONCE(has_executed, true);
	if (old_pid != task->pid)
		WRITE_ONCE(process_lost, true);
	one_stack = false;
	/* Before the first instruction of that program. */
	if (stops_at_raise && bprm__raises(bprm))
		WRITE_ONCE(active, XP_REVOKED);
	process__tell(task->tgid, XP_TOLD_EXEC);
}

/* Its calls are gone with the program that they were in, and its stacks. */
static __always_inline int process__executes(struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct walk w = { 0 };
	struct thread *t;
	bool was_active;

	state__moves(task, old_pid);
	was_active = is_active();
	if (!by_group())
		code__is_replaced(task, old_pid, bprm);
	calls__disinherit(task);
	if (!was_active)
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!t) {
		if (state__is_hidden(task))
			WRITE_ONCE(exec_unseen_ns, bpf_ktime_get_ns());
		return 0;
	}
	w.t = t;
	w.depth = t->depth;
	t->depth = 0;
	bpf_loop(XP_DEPTH, frame__lost_by_exec, &w, 0);
	t->uretprobes = 0;
	t->waiting = 0;
	t->overflowed = 0;
	t->overflow_sp = 0;
	t->highest_sp = 0;
	t->jumped_sp = 0;
	t->unordered = 0;
	if (READ_ONCE(active) == XP_REVOKED)
		thread__forget(task);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	u64 *mark;

	if (!task__may_have_begun(task)) {
		child__is_rid(task);
		return 0;
	}
	mark = program__begins();
	process__executes(task, old_pid, bprm);
	program__ends(mark);
	return 0;
}

/* The first thread of the process that has the links; set as they are attached. */
__u32 agent_pid;

/*
 * An agent that is killed: the kernel closes its links one after the other, and since Linux 6.13 waits at each until no thread has
 * a replaced return address whose 100 ms are not over.  A thread that goes on entering functions of a link that is still there would
 * begin them anew each time.  So nothing is replaced any more, before the first link is closed.
 */
static __always_inline void agent__exits(struct task_struct *task)
{
	if (task->pid == READ_ONCE(agent_pid))
		__sync_val_compare_and_swap(&active, XP_ACTIVE, XP_INACTIVE);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(child_exits, struct task_struct *task)
{
	agent__exits(task);
	calls__disinherit(task);
	if (!by_group() && task->tgid != target_tgid && task->pid == task->tgid)
		child__is_rid(task);
	return 0;
}

#endif
