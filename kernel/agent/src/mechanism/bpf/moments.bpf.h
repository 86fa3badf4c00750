/* SPDX-License-Identifier: GPL-2.0 */
/* The moments of a thread that are told: it meets a probe, leaves its CPU, or comes to one. */
#ifndef KVIEW_MOMENTS_BPF_H
#define KVIEW_MOMENTS_BPF_H

#include "arrivals.bpf.h"

/* A switch-in that was not reported, at entries and exits; moment__take finds whole absences. */
static __always_inline void thread__catch_up(struct thread *t)
{
	if (own_switches)
		thread__settle(t, bpf_get_current_task_btf());
	else if (t->out_ns)
		thread__heal(t);
}

/*
 * The thread's counters, but for stolen time, do not change within a generation: off_ns is left
 * as it is where they are of the one that the caller knows.
 */
static __always_inline void moment__take(struct moment *m, struct thread *t,
					 struct task_struct *task, u64 known, u64 *off_ns)
{
	u64 generation;
	int try, i;

#pragma clang loop unroll(disable)
	for (try = 0; try < 4; try++) {
		generation = READ_ONCE(t->generation);
		barrier();
		if (generation != known) {
#pragma clang loop unroll(disable)
			for (i = 0; i < OFFS; i++)
				off_ns[i] = READ_ONCE(t->off_ns[i]);
			known = generation;
		}
		m->steal_ns = READ_ONCE(t->off_ns[XP_STEAL - XP_FIRST_CAUSE]) +
			      steal__now(task) - READ_ONCE(t->steal_base_ns);
		m->cpu = this_cpu();
		m->now_ns = bpf_ktime_get_ns();
		/* It has been off since it was caught up with, within the probe: then it is the moment at which it left. */
		if (own_switches && thread__has_arrived(t, task) && READ_ONCE(t->out_ns))
			m->now_ns = READ_ONCE(t->out_ns);
		if (!own_switches && m->cpu != READ_ONCE(t->cpu)) {
			thread__moved(t);
		} else if (!own_switches && m->now_ns - t->looked_ns >= LOOK_NS) {
			thread__find_unseen(t, m->now_ns);
		}
		barrier();
		if (READ_ONCE(t->generation) == generation)
			break;
	}
	m->generation = generation;
}

/*
 * When a preempted thread stopped running.  The scheduler stops charging it at the wake-up of
 * who takes its place; the rest of that interrupt and the choice, some µs that add up where
 * many wake, are no longer its time.
 */
static __always_inline u64 thread__preempted_at(struct thread *t, struct task_struct *task, u64 now)
{
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	u64 ran = now - t->in_ns, probe = t->probe_ns < now ? t->probe_ns : now, doubt, clock, looked;
	s64 late;

	if (own_switches) {
		if (!cpu_clock__read(&clock, &looked))
			return now;
		late = clock - (task->se.exec_start + uncharged__now(task)) - (looked - now);
		if (late <= 0 || late >= UNSEEN_NS)
			return now;
		return now - ((s64)(now - probe) < late ? now - probe : late);
	}
	/* In so long a time the clocks may have gone apart by what is looked for. */
	if (!t->in_ns || now < t->in_ns || clocks__drift(ran) >= LATE_NS)
		return now;
	late = thread__unaccounted(t, task, now) - clocks__steady(c, ran);
	if (late <= 0 || late >= UNSEEN_NS)
		return now;
	/* The rate was taken off of that time as well. */
	late += clocks__steady(c, late);
	if ((s64)(now - probe) < late)
		late = now - probe;
	/* What is more than LATE_NS may be a rate that has changed. */
	doubt = clocks__steady_doubt(c, ran) + (late > LATE_NS ? late - LATE_NS : 0);
	thread__doubts(t, doubt, now - late, now);
	return now - (late > LATE_NS && clocks__apart(c, ran) >= LATE_NS ? LATE_NS : late);
}

/* It leaves its CPU; the switch-in before was reported, or is healed. */
static __always_inline void thread__out(struct thread *t, struct task_struct *task, u8 cause, u64 now)
{
	u64 unseen;

	/* Where its own events tell of switches, an unseen one was found as it was caught up with. */
	if (!own_switches && t->cpu != this_cpu())
		thread__moved(t);
	/* By one clock: two go apart in a long run, and 0.5 ms in 10 s is nothing unusual. */
	unseen = own_switches ? 0 : thread__gap(t, task);
	if (unseen >= UNSEEN_NS)
		thread__was_away(t, t->generation, unseen, t->looked_ns, now);
	t->out_ns = cause == XP_PREEMPTED ? thread__preempted_at(t, task, now) : now;
	t->exec_at_out_ns = task->se.sum_exec_runtime;
	cpu_clocks__see(rq__of(task), now);
	t->off_ns[XP_STEAL - XP_FIRST_CAUSE] += steal__now(task) - t->steal_base_ns;
	thread__rebase(t, task);
}

/* It runs again; the switch-out before was reported, or is healed. */
static __always_inline void thread__in(struct thread *t, struct task_struct *task, u64 now)
{
	thread__add_off(t, t->out_cause, t->out_ns, t->wake_ns, now);
	cpu_clocks__see(rq__of(task), now);
	thread__rebase(t, task);
	t->in_ns = now;
	t->start_at_in_ns = task->se.exec_start;
	t->exec_at_in_ns = task->se.sum_exec_runtime;
	t->out_ns = 0;
	t->wake_ns = 0;
	WRITE_ONCE(t->generation, t->generation + 1);
}

#endif
