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

#include "bpf/task.bpf.h"
#include "cpu-clock.bpf.h"

static __always_inline struct rq *rq__of(struct task_struct *task)
{
	struct cfs_rq *cfs_rq = cfs_rq__of(task);

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
 * How a CPU's clocks stood at a switch there.  Not only traced threads': who comes to a CPU without being
 * reported comes after the last switch that was, and so between what is seen here and now.
 */
struct cpu_clocks {
	u64 seen_ns;		/* CLOCK_MONOTONIC; 0: never */
	s64 offset_ns;		/* CLOCK_MONOTONIC - rq->clock, at most, but for behind_ns */
	u64 uncharged_ns;
	u64 steal_ns;
	struct rq *rq;
	u64 behind_ns;		/* it was more by so much the last time, which may have been seen late */
	u64 behind_since_ns;
	u32 times_behind;	/* in a row */
	u32 apart;		/* see clocks__apart() */
	/* See cpu_clocks__follow(). */
	u64 line_at_ns;		/* 0: none yet */
	s64 line_ns;
	s64 above_ns;		/* the least that was seen in this turn */
	u64 above_at_ns;
	u32 looks;		/* in this turn */
	s32 steady;		/* 2^-20 */
	u32 steady_doubt;
} __attribute__((aligned(64)));	/* CPUs share no line of the caches */

static struct cpu_clocks cpu_clocks[XP_MAX_CPUS];

/* Between switches that are not traced threads' they are left alone for so long. */
#define CLOCKS_LOOK_NS	1000000

/* What is behind so often, for so long, was not seen late. */
#define CLOCKS_BEHIND		8
#define CLOCKS_BEHIND_NS	10000000

/* In units of 2^-20: twice what NTP does to a clock that it follows; what it may do to one that is wrong. */
#define CLOCKS_APART_LEAST	(1U << 10)
#define CLOCKS_APART_MOST	(1U << 17)

/* How far CLOCK_MONOTONIC and the scheduler's go apart in that time, where NTP does not correct a clock that is wrong. */
static __always_inline u64 clocks__drift(u64 ns)
{
	return (ns >> 10) * CLOCKS_APART_LEAST >> 10;
}

/* The same by what they did of late. */
static __always_inline u64 clocks__apart(const struct cpu_clocks *c, u64 ns)
{
	return (ns >> 10) * (CLOCKS_APART_LEAST + c->apart) >> 10;
}

/* They did by so much. */
static __always_inline void clocks__went_apart(struct cpu_clocks *c, u64 ns, u64 in_ns)
{
	u64 apart = (ns << 20) / in_ns;

	c->apart = apart < CLOCKS_APART_MOST ? apart : CLOCKS_APART_MOST;
}

/*
 * The rate at which CLOCK_MONOTONIC goes ahead of the scheduler's clock steadily.  Each switch is seen late, now more and now
 * less; but of some, the one that was seen soonest after the scheduler had looked at its clock was hardly late.  From one turn
 * to the next these are far enough from each other for what is left of that to make no rate.  The line goes through the last
 * one, as steeply as that rate.
 */
#define CLOCKS_TURN_NS		32000000
#define CLOCKS_TURN_LOOKS	8
#define CLOCKS_DOUBT_LEAST	(1U << 6)

static __always_inline s64 clocks__steady(const struct cpu_clocks *c, u64 ns)
{
	return ((s64)(ns >> 10) * c->steady) >> 10;
}

/* How wrong that may be: by twice what it changed from turn to turn of late. */
static __always_inline u64 clocks__steady_doubt(const struct cpu_clocks *c, u64 ns)
{
	return (ns >> 10) * (CLOCKS_DOUBT_LEAST + 2 * (c->line_at_ns ? c->steady_doubt : CLOCKS_APART_MOST)) >> 10;
}

static __always_inline void cpu_clocks__follow(struct cpu_clocks *c, s64 offset, u64 now)
{
	u64 since = now - c->line_at_ns, change;
	s64 above = offset - c->line_ns - clocks__steady(c, since), steady;

	if (!c->line_at_ns) {
		c->line_at_ns = now;
		c->line_ns = offset;
		c->steady_doubt = CLOCKS_APART_MOST;
		return;
	}
	if (since < CLOCKS_TURN_NS)
		return;
	if (!c->looks || above < c->above_ns) {
		c->above_ns = above;
		c->above_at_ns = now;
	}
	if (++c->looks < CLOCKS_TURN_LOOKS)
		return;
	since = c->above_at_ns - c->line_at_ns;
	c->line_ns += clocks__steady(c, since) + c->above_ns;
	c->line_at_ns = c->above_at_ns;
	c->looks = 0;
	change = c->above_ns < 0 ? -c->above_ns : c->above_ns;
	/* Programs of the kernel divide no negative numbers. */
	change = (change << 10) / (since >> 10);
	if (change > CLOCKS_APART_MOST)
		change = CLOCKS_APART_MOST;
	steady = c->steady + (c->above_ns < 0 ? -(s64)change : (s64)change);
	if (steady > (s64)CLOCKS_APART_MOST)
		steady = CLOCKS_APART_MOST;
	if (steady < -(s64)CLOCKS_APART_MOST)
		steady = -(s64)CLOCKS_APART_MOST;
	c->steady = steady;
	c->steady_doubt -= c->steady_doubt / 4;
	if (change > c->steady_doubt)
		c->steady_doubt = change;
}

/*
 * At a switch.  The offset is seen late, by what passed since the scheduler looked at its clock: the
 * least is right, but for what the clocks may have gone apart by since.  Where NTP corrects a clock
 * that was wrong they go apart faster than that, by up to a tenth: so what is seen again and again is
 * right as well, and the clocks then may go on like that, up to twice as fast.
 */
static __always_inline void cpu_clocks__see(struct rq *rq, u64 now)
{
	struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	u64 since = now - c->seen_ns, apart = clocks__apart(c, since), least;
	s64 offset, more;

	if (!rq)
		return;
	offset = now - rq->clock;
	more = offset - c->offset_ns;
	cpu_clocks__follow(c, offset, now);
	if (!c->seen_ns) {
		c->offset_ns = offset;
	} else if (more > (s64)apart) {
		if (!c->times_behind)
			c->behind_since_ns = c->seen_ns;
		c->times_behind++;
		c->offset_ns += apart;
		least = more - apart;
		if (c->times_behind >= CLOCKS_BEHIND && now - c->behind_since_ns >= CLOCKS_BEHIND_NS) {
			if (least > c->behind_ns)
				least = c->behind_ns;
			c->offset_ns += least;
			clocks__went_apart(c, 2 * least, now - c->behind_since_ns);
			c->times_behind = 0;
		}
		c->behind_ns = offset - c->offset_ns;
	} else {
		c->offset_ns = offset;
		c->behind_ns = 0;
		c->times_behind = 0;
		if (more < 0)
			more = -more;
		/* Sooner than that they tell how late they were seen. */
		if (since < CLOCKS_LOOK_NS / 2 || more < (s64)apart / 2)
			c->apart -= c->apart / 64;
		else if (more > (s64)apart)
			clocks__went_apart(c, 2 * more, since);
	}
	c->seen_ns = now;
	c->uncharged_ns = rq->clock - rq->clock_task;
	if (bpf_core_field_exists(rq->prev_steal_time_rq))
		c->steal_ns = rq->prev_steal_time_rq;
	c->rq = rq;
}

/* At one from a thread that is not traced to another one. */
static __always_inline void cpu_clocks__look(struct task_struct *prev)
{
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	struct rq *rq = rq__of(prev);

	/* Less than nothing: the offset is behind. */
	if (rq && (s64)(rq->clock + c->offset_ns - c->seen_ns) >= CLOCKS_LOOK_NS)
		cpu_clocks__see(rq, bpf_ktime_get_ns());
}

/* Longer than anything, and no overflow where something is added. */
#define LOST_UNKNOWN	(1ULL << 62)

/*
 * What was charged nobody, or was stolen, whichever is more: mostly nobody is charged for stolen time either.
 * Less than nothing: another CPU is at work.
 */
static __always_inline u64 lost__of(s64 uncharged_ns, s64 stolen_ns)
{
	s64 lost = uncharged_ns > stolen_ns ? uncharged_ns : stolen_ns;

	return lost > 0 ? lost : 0;
}

/* What any CPU has lost since then. */
static __always_inline u64 rq__lost(struct rq *rq, u64 uncharged_ns, u64 steal_ns)
{
	u64 uncharged = BPF_CORE_READ(rq, clock) - BPF_CORE_READ(rq, clock_task);
	u64 stolen = steal_ns;

	if (bpf_core_field_exists(rq->prev_steal_time_rq))
		stolen = BPF_CORE_READ(rq, prev_steal_time_rq);
	return lost__of(uncharged - uncharged_ns, stolen - steal_ns);
}

/* What this CPU has, since its clocks were seen. */
static __always_inline u64 cpu_clocks__lost(const struct cpu_clocks *c, struct task_struct *task)
{
	return lost__of(uncharged__now(task) - c->uncharged_ns, steal__now(task) - c->steal_ns);
}

/* When the scheduler last brought the account of a running task up to date; 0 if unknown. */
static __always_inline u64 task__accounted_ns(struct task_struct *task)
{
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];

	return c->seen_ns ? task->se.exec_start + uncharged__now(task) + c->offset_ns : 0;
}

/* A running task's account as of its last update, and what its CPU had charged nobody by then. */
struct account {
	u64 now_ns;
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
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	u64 start;

	account__read(a, task);
	start = a->start_ns;
	barrier();
	if (READ_ONCE(task->se.exec_start) != start)
		account__read(a, task);
	a->is_dated = c->seen_ns != 0;
	a->at_ns = a->start_ns + a->uncharged_ns + c->offset_ns;
	a->now_ns = bpf_ktime_get_ns();
	if (!a->is_dated) {
		a->at_ns = a->now_ns;
	} else if (a->at_ns > a->now_ns) {
		a->uncharged_ns -= a->at_ns - a->now_ns;
		a->at_ns = a->now_ns;
	}
}

#endif
