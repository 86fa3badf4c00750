/* SPDX-License-Identifier: GPL-2.0 */
/* A task, for reading pointers from it. */
#ifndef KVIEW_TASK_BPF_H
#define KVIEW_TASK_BPF_H

/*
 * Where a pointer is read by one that the kernel vouches for, the verifier looks through the names of all the kernel's
 * types, one after the other and each time that it comes by: a third of what starting a recording took.  Of
 * the same task by a plain pointer it asks nothing.  The cast is since Linux 6.2, where that began, and no call.
 */
static __always_inline struct task_struct *task__plain(struct task_struct *task)
{
	return bpf_ksym_exists(bpf_rdonly_cast) ? bpf_core_cast(task, struct task_struct) : task;
}

/* The part of a run queue that it is in; NULL: unknown. */
static __always_inline struct cfs_rq *cfs_rq__of(struct task_struct *task)
{
	if (!bpf_core_field_exists(((struct sched_entity *)0)->cfs_rq))
		return NULL;
	return task__plain(task)->se.cfs_rq;
}

#endif
