/* SPDX-License-Identifier: GPL-2.0 */
/* A task, for reading pointers from it. */
#ifndef KVIEW_TASK_BPF_H
#define KVIEW_TASK_BPF_H

/* An enumerator of the kernel's that came with Linux 6.2. */
enum bpf_func_id___since_6_2 {
	BPF_FUNC_cgrp_storage_get___since_6_2 = 1,
};

/*
 * bpf_rdonly_cast came with Linux 6.2, too.  Its address must not be asked for: 6.2 and 6.3 refuse each program in which that
 * stands, also where it is never run.
 */
static __always_inline bool pointers_can_be_cast(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id___since_6_2, BPF_FUNC_cgrp_storage_get___since_6_2);
}

/*
 * Where a pointer is read by one that the kernel vouches for, the verifier looks through the names of all the kernel's
 * types, one after the other and each time that it comes by: a third of what starting a recording took.  Of
 * the same task by a plain pointer it asks nothing.  The cast came where that began, and is no call.
 */
static __always_inline struct task_struct *task__plain(struct task_struct *task)
{
	return pointers_can_be_cast() ? bpf_core_cast(task, struct task_struct) : task;
}

/* The part of a run queue that it is in; NULL: unknown. */
static __always_inline struct cfs_rq *cfs_rq__of(struct task_struct *task)
{
	if (!bpf_core_field_exists(((struct sched_entity *)0)->cfs_rq))
		return NULL;
	return task__plain(task)->se.cfs_rq;
}

#endif
