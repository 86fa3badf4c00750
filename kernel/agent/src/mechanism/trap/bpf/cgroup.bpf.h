/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is different where the processes of a cgroup are measured, or one with its children.  The probes are in all processes that
 * map the files, as the kernel knows no set of processes: those outside pay for the traps, and that is summed up here.
 */
#ifndef KVIEW_CGROUP_BPF_H
#define KVIEW_CGROUP_BPF_H

/* Whether ends of calls are looked for: also of a thread that has left its cgroup since it began one. */
static __always_inline bool task__is_followed(struct task_struct *task)
{
	return task__is_target(task) || (by_group() && bpf_task_storage_get(&threads, task, NULL, 0));
}

/* A probe that a process outside has met; half of what a call's probes cost is more than it pays. */
static __always_inline void others__pay(u32 function, u32 exit_class)
{
	u64 ns;

	if (!group__is_measured())
		return;
	ns = cost__of(function, exit_class)->likely_ns / 2;
	cost__add(function, ns);
	__sync_fetch_and_add(&counters.others_probes, 1);
	__sync_fetch_and_add(&counters.others_ns, ns);
}

/*
 * Calls that a thread was in as it forked a process, whose first thread returns from them as well: by its number, how many.
 * max_entries is set before load.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
} inherited SEC(".maps");

/* The parent goes on as the child does, in memory of its own. */
static __always_inline void calls__inherit(struct task_struct *parent, struct task_struct *child)
{
	struct thread *t = bpf_task_storage_get(&threads, parent, NULL, 0);
	u32 tid = child->pid, depth;

	depth = t ? t->depth : 0;
	if (depth)
		bpf_map_update_elem(&inherited, &tid, &depth, BPF_ANY);
}

/* A return that belongs to no call of the thread's own. */
static __always_inline bool call__is_inherited(struct task_struct *task)
{
	u32 tid = task->pid, *left = by_group() ? bpf_map_lookup_elem(&inherited, &tid) : NULL;

	if (!left || !*left)
		return false;
	(*left)--;
	__sync_fetch_and_add(&counters.early_returns, 1);
	return true;
}

/* The thread ends, or its process executes another program. */
static __always_inline void calls__disinherit(struct task_struct *task)
{
	u32 tid = task->pid;

	if (by_group())
		bpf_map_delete_elem(&inherited, &tid);
}

#endif
