/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the scheduler knows of the task that runs on a CPU.
 *
 *	rq->clock	time goes on (CLOCK_MONOTONIC but for an offset), as of the last update
 *	rq->clock_task	the same without interrupts and stolen time: what tasks are charged
 *	exec_start	clock_task at the last update of the task's sum_exec_runtime
 *
 * What is left out is the difference of the two clocks, and not what was stolen: where that is more
 * than an update goes on by, the kernel forgets the rest (since Linux 6.14), and charges it to
 * tasks after all.
 */
#ifndef KVIEW_SCHEDULER_BPF_H
#define KVIEW_SCHEDULER_BPF_H

/* CLOCK_MONOTONIC - rq->clock; by CPU, 0 before a traced thread was switched there. */
static s64 clock_offset_ns[XP_MAX_CPUS];

static __always_inline u32 this_cpu(void)
{
	return BOUND(bpf_get_smp_processor_id(), XP_MAX_CPUS - 1);
}

static __always_inline struct rq *rq__of(struct task_struct *task)
{
	struct cfs_rq *cfs_rq;

	if (!bpf_core_field_exists(((struct sched_entity *)0)->cfs_rq))
		return NULL;
	cfs_rq = task->se.cfs_rq;
	return cfs_rq ? cfs_rq->rq : NULL;
}

/* What the hypervisor took from the CPU of a running task since boot; 0 if unknown. */
static __always_inline u64 steal__now(struct task_struct *task)
{
	struct rq *rq;

	if (!bpf_core_field_exists(((struct rq *)0)->prev_steal_time_rq))
		return 0;
	rq = rq__of(task);
	return rq ? rq->prev_steal_time_rq : 0;
}

/* What was not charged to tasks of this CPU since boot; 0 if unknown. */
static __always_inline u64 uncharged__now(struct task_struct *task)
{
	struct rq *rq = rq__of(task);

	return rq ? rq->clock - rq->clock_task : 0;
}

/*
 * Seen at each switch, late by what passed since the scheduler looked at its clock: the least is
 * right.  It may creep up, as the two clocks are not disciplined alike.
 */
static __always_inline void clock_offset__see(struct task_struct *task, u64 now)
{
	s64 *offset = &clock_offset_ns[this_cpu()];
	s64 seen = now - task->se.exec_start - uncharged__now(task);

	if (!*offset || seen < *offset)
		*offset = seen;
	else
		*offset += (u64)(seen - *offset) / 64;
}

/* When the scheduler last brought the account of a running task up to date; 0 if unknown. */
static __always_inline u64 task__accounted_ns(struct task_struct *task)
{
	s64 offset = clock_offset_ns[this_cpu()];

	return offset ? task->se.exec_start + uncharged__now(task) + offset : 0;
}

/* A running task's account as of its last update, and what its CPU had charged nobody by then. */
struct account {
	u64 at_ns;		/* of the update; now, where that is not known: late by a tick at most */
	u64 start_ns;		/* exec_start */
	u64 ran_ns;		/* sum_exec_runtime */
	u64 uncharged_ns;
	bool is_dated;
};

static __always_inline void account__read(struct account *a, struct task_struct *task)
{
	a->start_ns = READ_ONCE(task->se.exec_start);
	a->uncharged_ns = uncharged__now(task);
	barrier();
	a->ran_ns = READ_ONCE(task->se.sum_exec_runtime);
}

/*
 * Of the task that runs here.  Its parts belong together, as far as can be had without the
 * scheduler's lock: between its clock and that of tasks another CPU may be at work, and so the
 * first is ahead; what is in the future by that is taken back from both.
 */
static __always_inline void account__take(struct account *a, struct task_struct *task)
{
	s64 offset = clock_offset_ns[this_cpu()];
	u64 start, now;

	account__read(a, task);
	start = a->start_ns;
	barrier();
	if (READ_ONCE(task->se.exec_start) != start)
		account__read(a, task);
	a->is_dated = offset != 0;
	a->at_ns = a->start_ns + a->uncharged_ns + offset;
	now = bpf_ktime_get_ns();
	if (!a->is_dated) {
		a->at_ns = now;
	} else if (a->at_ns > now) {
		a->uncharged_ns -= a->at_ns - now;
		a->at_ns = now;
	}
}

#endif
