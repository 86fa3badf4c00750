/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a thread came back to a CPU, where its own events tell that it left one (own-switches.bpf.h), and nothing that it came back:
 * that is settled where the thread next looks.
 */
#ifndef KVIEW_ARRIVALS_BPF_H
#define KVIEW_ARRIVALS_BPF_H

#include "absences.bpf.h"

/* It was in the midst of settling a switch-out as it left again. */
static __always_inline void thread__left_later(struct thread *t)
{
	t->delay_at_out_ns = t->later.delay_ns;
	t->arrivals = t->later.arrivals;
	t->exec_at_out_ns = t->later.exec_ns;
	t->out_cause = t->later.cause;
	t->out_ns = t->later.out_ns;
	barrier();
	t->later.out_ns = 0;
}

/*
 * Where switch-ins are not reported: the thread has come back, and the scheduler's account says how long it had waited for
 * a CPU.  While it runs exec_start goes on by as much as sum_exec_runtime; so it is known what it was at the switch-in, and with it
 * what this CPU had charged nobody by then.  Of what it has lost since, not more was stolen than since a switch was last seen here.
 */
__noinline int thread__arrived(struct thread *t)
{
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	struct task_struct *task = bpf_get_current_task_btf();
	u64 begin = bpf_ktime_get_ns(), generation, out, in, wake, clock, now, arrived, came, ran, start, stolen;
	struct account a;
	s64 lost;
	u32 cause;

	/* Before Linux 6.8 the verifier looks at it also where nobody calls it. */
	if (!t || !own_switches)
		return 0;
	generation = READ_ONCE(t->generation);
	barrier();
	out = READ_ONCE(t->out_ns);
	cause = READ_ONCE(t->out_cause);
	if (!out)
		return 0;
	if (!cpu_clock__read(&clock, &now))
		return 0;
	arrived = READ_ONCE(task->sched_info.last_arrival);
	came = task__came(task);
	account__take(&a, task);
	ran = a.ran_ns - READ_ONCE(t->exec_at_out_ns);
	start = a.start_ns - ran;
	in = now - (clock - came);
	if ((s64)(in - out) < 0)
		in = out;
	if (in > now)
		in = now;
	wake = thread__woken_ns(t, task, out, cause, in, came - arrived);
	lost = a.uncharged_ns - (arrived - start);
	if (lost < 0)
		lost = 0;
	stolen = c->seen_ns ? steal__now(task) - c->steal_ns : lost;
	if (stolen > lost)
		stolen = lost;
	/* A switch since then has settled it: it comes between like a signal.  One that comes from here on waits. */
	WRITE_ONCE(t->settles, 1);
	barrier();
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation) {
		WRITE_ONCE(t->settles, 0);
		return 0;
	}
	thread__doubts(t, stolen, in, now);
	thread__add_off(t, cause, out, wake, in);
	thread__runs_since(t, task, in, &a, ran);
	t->uncharged_base_ns = a.uncharged_ns - lost;
	t->steal_base_ns = steal__now(task) - stolen;
	t->out_ns = 0;
	t->overhead_ns += bpf_ktime_get_ns() - begin;
	barrier();
	if (t->later.out_ns)
		thread__left_later(t);
	WRITE_ONCE(t->settles, 0);
	__sync_fetch_and_add(&t->generation, 1);
	return 0;
}

/* It left once more, and that was not told. */
static __always_inline bool thread__has_left_unseen(const struct thread *t, struct task_struct *task)
{
	return READ_ONCE(task->sched_info.pcount) - READ_ONCE(t->arrivals) != 1;
}

static __always_inline void thread__is_known_to_run(struct thread *t, struct task_struct *task)
{
	t->exec_at_in_ns = READ_ONCE(task->se.sum_exec_runtime);
	t->start_at_in_ns = READ_ONCE(task->se.exec_start);
	WRITE_ONCE(t->in_ns, bpf_ktime_get_ns());
}

/* The same at any time: nothing is to be done for who has not left, or has not come back yet. */
static __always_inline void thread__settle(struct thread *t, struct task_struct *task)
{
	/* Not before its first probe. */
	if (!t->known)
		return;
	if (!READ_ONCE(t->settles) && READ_ONCE(t->later.out_ns))
		thread__left_later(t);
	/* Since when it is known to run: where switches go unseen, what came since then is reckoned from there. */
	if (!t->in_ns)
		thread__is_known_to_run(t, task);
	if (!thread__has_arrived(t, task))
		return;
	if (!READ_ONCE(t->out_ns))
		thread__moved(t);
	else if (thread__has_left_unseen(t, task) || !cpu_clock__is_known())
		thread__heal(t);
	else
		thread__arrived(t);
}

#endif
