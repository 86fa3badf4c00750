/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For what the threads of the process were away.  All times are what a thread had been away by then: the scheduler's clock less
 * what the thread was charged for.  While it is off its CPU it is charged for nothing, so that this goes on as the clock does.
 */
#ifndef KVIEW_JUMP_AWAY_BPF_H
#define KVIEW_JUMP_AWAY_BPF_H

/* Of more threads than that all is under other. */
#define AWAY_THREADS	16384

/* If it is no interrupt's, so much means that neither of two switches was reported. */
#define AWAY_UNSEEN_NS	500000

#define AWAY_NOT	0xff		/* the cause: it was not seen to leave its CPU */
#define PF_EXITING	4

struct away {
	u64 ns;			/* as of the last look at its account */
	u64 woken_ns;		/* 0: not since then, or since it left its CPU */
	u64 steal_ns;		/* of the CPU where it was looked at */
	u64 uncharged_ns;	/* what that CPU charged nobody for: interrupts, and steal */
	u64 cause_ns[16];	/* the first JUMP_CAUSES of them grow as ns does, all together; a power of two for the verifier */
	u64 out_ns, wake_ns;	/* where events are told, by CLOCK_MONOTONIC: when it left its CPU, and was woken; 0: that was not seen */
	u32 waker_tid;
	char waker_comm[16];
	u32 cpu;
	u16 syscall;
	u8 cause;
};

/* Memory is taken before: none can be had under the scheduler's locks. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, AWAY_THREADS);
	__type(key, u64);
	__type(value, struct away);
} away SEC(".maps");

/* No two threads of the machine's have the same at a time, nor soon after each other. */
static __always_inline u64 thread__number(struct task_struct *task)
{
	return (u64)task->pid << 32 | (u32)task->start_time;
}

static __always_inline struct away *away__find(struct task_struct *task)
{
	u64 number = thread__number(task);

	return bpf_map_lookup_elem(&away, &number);
}

/* From now on.  NULL: there is no room, or it ends. */
static __always_inline struct away *away__new(struct task_struct *task, u64 ns)
{
	const struct away begin = { .ns = ns, .cpu = ~0u, .cause = AWAY_NOT };
	u64 number = thread__number(task);

	if (task->flags & PF_EXITING)
		return NULL;
	bpf_map_update_elem(&away, &number, &begin, BPF_NOEXIST);
	return bpf_map_lookup_elem(&away, &number);
}

static __always_inline void away__count(struct away *a, u32 metric, u64 ns)
{
	a->cause_ns[BOUND(metric - XP_FIRST_CAUSE, 15)] += ns;
}

static __always_inline u64 rq__steal(struct rq *rq)
{
	return bpf_core_field_exists(rq->prev_steal_time_rq) ? rq->prev_steal_time_rq : 0;
}

static __always_inline u64 rq__uncharged(struct rq *rq)
{
	return rq->clock - rq->clock_task;
}

/* It ran all the time, but for what the hypervisor took, what interrupts did that nobody is charged for, and what was not reported. */
static __always_inline void away__divide_running(struct away *a, struct rq *rq, u64 ns)
{
	bool is_here = a->cpu == (u32)rq->cpu;
	u64 stolen = is_here ? rq__steal(rq) - a->steal_ns : 0, uncharged = is_here ? rq__uncharged(rq) - a->uncharged_ns : 0;

	if (stolen > ns)
		stolen = ns;
	if (uncharged < stolen)
		uncharged = stolen;
	if (uncharged > ns)
		uncharged = ns;
	away__count(a, XP_STEAL, stolen);
	away__count(a, XP_OTHER, uncharged - stolen);
	away__count(a, ns - uncharged < AWAY_UNSEEN_NS ? XP_OTHER : XP_PREEMPTED, ns - uncharged);
}

/* It was off its CPU until now: up to its wake-up for the cause, then it waited for a CPU. */
static __always_inline void away__divide_absence(struct away *a, u64 ns)
{
	u64 waited = a->woken_ns - a->ns;
	u8 cause = a->cause;

	if (!a->woken_ns || cause == XP_PREEMPTED || cause == XP_THROTTLED || waited > ns)
		waited = ns;
	away__count(a, cause, waited);
	away__count(a, XP_RUN_QUEUE, ns - waited);
}

/* A thread runs, and has been away for ns in all. */
static __always_inline void away__look(struct away *a, struct rq *rq, u64 ns)
{
	u64 since = ns - a->ns;

	/* Less than nothing, where clocks differ: so much less is under other, for the sum to be right. */
	if ((s64)since < 0)
		away__count(a, XP_OTHER, since);
	else if (a->cause == AWAY_NOT)
		away__divide_running(a, rq, since);
	else
		away__divide_absence(a, since);
	a->ns = ns;
	a->woken_ns = 0;
	a->cause = AWAY_NOT;
	a->cpu = rq->cpu;
	a->steal_ns = rq__steal(rq);
	a->uncharged_ns = rq__uncharged(rq);
}

/* Returns the system call that it is in; negative: none. */
static __always_inline long away__leave(struct away *a, struct task_struct *task, bool preempt, unsigned int state)
{
	long syscall;

	a->woken_ns = 0;
	a->cause = cause__of_switch(&a->syscall, task, preempt, state, &syscall);
	return syscall;
}

#endif
