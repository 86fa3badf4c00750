// SPDX-License-Identifier: GPL-2.0
/* Who belongs to a process tree: whom its processes fork, from before the child runs until it is freed. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "base.bpf.h"
#include "mechanism/bpf/thread.h"
#include "mechanism/bpf/tree.bpf.h"
#include "mechanism/cost/bpf/thread-costs.h"
#include "inner-threads.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#ifndef E2BIG
#define E2BIG	7
#endif

/* CPU time of those that have ended. */
__u64 ended_ns;
/* For whom there was no room. */
__u64 not_followed;

/* The first one, which belongs to it whoever its parent is. */
__u32 first_tgid;
/* The agent, which is left out, so that those that it forks are as well; and whether it would belong to it. */
__u32 agent_tgid;
bool has_agent;
/* How many add_processes has found, and for how many there was no room in its last run. */
__u64 found;
__u64 no_room;
/* What sum_cpu_time has found: CPU time of those that are there. */
__u64 running_ns;

SEC("tp_btf/sched_process_fork")
int BPF_PROG(process_forks, struct task_struct *parent, struct task_struct *child)
{
	struct tree_process process = { .began_ns = child->start_boottime };
	u32 of = parent->tgid, tgid = child->tgid;
	u64 *mark;

	if (of == tgid || !bpf_map_lookup_elem(&tree, &of))
		return 0;
	/* It runs in the parent, which is measured. */
	mark = program__begins();
	if (bpf_map_update_elem(&tree, &tgid, &process, BPF_ANY))
		__sync_fetch_and_add(&not_followed, 1);
	program__ends(mark);
	return 0;
}

/* Run for each thread of the host, again and again until nobody more is found: those that are there already. */
SEC("iter/task")
int add_processes(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct tree_process process;
	u32 tgid, parent;

	if (!task)
		return 0;
	tgid = task->tgid;
	parent = BPF_CORE_READ(task, group_leader, real_parent, tgid);
	if (tgid != first_tgid && !bpf_map_lookup_elem(&tree, &parent))
		return 0;
	if (tgid == agent_tgid && tgid != first_tgid) {
		has_agent = true;
		return 0;
	}
	process.began_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	switch (bpf_map_update_elem(&tree, &tgid, &process, BPF_NOEXIST)) {
	case 0:
		found++;
		break;
	case -E2BIG:
		no_room += task->pid == task->tgid;
		break;
	}
	return 0;
}

/* Run for each thread of the host.  What one that runs now has had since its CPU's last tick is not in its account yet. */
SEC("iter/task")
int sum_cpu_time(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	const struct tree_process *process;
	u32 tgid;

	if (!task)
		return 0;
	tgid = task->tgid;
	process = bpf_map_lookup_elem(&tree, &tgid);
	if (!process || process->began_ns != task->group_leader->start_boottime)
		return 0;
	running_ns += task->se.sum_exec_runtime;
	/* That of its threads which have ended. */
	if (task->pid == task->tgid)
		running_ns += task->signal->sum_sched_runtime;
	return 0;
}

/* Behind an execve by another thread the former first one is freed, and has that one's number then. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(process_is_freed, struct task_struct *task)
{
	u32 tgid = task->tgid;
	struct tree_process *process;

	if (task->pid != task->tgid)
		return 0;
	process = bpf_map_lookup_elem(&tree, &tgid);
	if (!process || process->began_ns != task->start_boottime)
		return 0;
	__sync_fetch_and_add(&ended_ns, BPF_CORE_READ(task, signal, sum_sched_runtime));
	bpf_map_delete_elem(&tree, &tgid);
	return 0;
}
