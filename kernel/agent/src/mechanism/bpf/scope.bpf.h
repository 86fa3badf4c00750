/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is measured: one process, all that are in a cgroup or below it, or a process with those that it forked.  Where it is
 * more than one, the agent's own process is still named by its number while costs are measured.
 */
#ifndef KVIEW_SCOPE_BPF_H
#define KVIEW_SCOPE_BPF_H

#include "bpf/task.bpf.h"
#include "mechanism/bpf/scope.h"
#include "mechanism/bpf/tree.bpf.h"

/* Set before attaching, and between calibration and recording; SCOPE_NOBODY: a cgroup is recorded. */
__u32 target_tgid;
/* Set before load. */
volatile const bool by_cgroup;
volatile const __u32 cgroup_level;
/* Its number, set before attaching; 0: costs are being measured. */
__u64 target_cgroup;
/* Set before load: processes of a tree are measured, and target_tgid is the first one. */
volatile const bool by_tree;
/* Set before attaching; false: costs are being measured. */
bool measures_tree;

/* Those of a cgroup or a tree that came to a point; max_entries is set before load, or the map is another mechanism's. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct scope_member_key);
	__type(value, struct scope_member);
} members SEC(".maps");

static __always_inline bool task__is_in_cgroup(struct task_struct *task)
{
	struct cgroup *at = NULL, *own;

	if (!bpf_core_field_exists(((struct cgroup *)0)->ancestors))
		return false;
	own = task__plain(task)->cgroups->dfl_cgrp;
	if (own->level < (int)cgroup_level)
		return false;
	/* It is its own last ancestor. */
	bpf_probe_read_kernel(&at, sizeof(at), (char *)own + bpf_core_field_offset(((struct cgroup *)0)->ancestors) +
			      cgroup_level * sizeof(at));
	return BPF_CORE_READ(at, kn, id) == READ_ONCE(target_cgroup);
}

static __always_inline bool task__is_in_tree(struct task_struct *task)
{
	u32 tgid = task->tgid;
	const struct tree_process *process = bpf_map_lookup_elem(&tree, &tgid);

	return process && READ_ONCE(measures_tree) && process->began_ns == task__plain(task)->group_leader->start_boottime;
}

/* More than one process is measured. */
static __always_inline bool by_group(void)
{
	return by_cgroup || by_tree;
}

/* And now is, not the agent's own while costs are measured. */
static __always_inline bool group__is_measured(void)
{
	return (by_cgroup && READ_ONCE(target_cgroup)) || (by_tree && READ_ONCE(measures_tree));
}

/* Whether what a thread does from now on is measured.  The group comes first: while costs are measured it is looked at as well. */
static __always_inline bool task__is_target(struct task_struct *task)
{
	return (by_cgroup && task__is_in_cgroup(task)) || (by_tree && task__is_in_tree(task)) ||
	       task->tgid == READ_ONCE(target_tgid);
}

/* A thread by whose end it is known how the recorded process, or the first one of the tree, ended. */
static __always_inline bool task__is_leader(struct task_struct *task)
{
	return task->pid == task->tgid && !by_cgroup && (!by_tree || task->tgid == READ_ONCE(target_tgid));
}

/* Whether a thread may have begun something that is measured: a process can leave its cgroup meanwhile. */
static __always_inline bool task__may_have_begun(struct task_struct *task)
{
	return by_group() || task->tgid == READ_ONCE(target_tgid);
}

/* A thread comes to a point for the first time. */
static __always_inline void task__comes(struct task_struct *task)
{
	struct scope_member_key key = { 0 };
	struct scope_member member = { 0 };

	if (!group__is_measured())
		return;
	key.began_ns = BPF_CORE_READ(task, group_leader, start_boottime);
	key.tgid = task->tgid;
	if (bpf_map_lookup_elem(&members, &key))
		return;
	member.came_ns = bpf_ktime_get_ns();
	BPF_CORE_READ_STR_INTO(&member.name, task, group_leader, comm);
	bpf_map_update_elem(&members, &key, &member, BPF_NOEXIST);
}

#endif
