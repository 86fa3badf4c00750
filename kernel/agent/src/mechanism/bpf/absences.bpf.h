/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a thread was off its CPU: what the switches tell, and what follows from the scheduler's own
 * account where they do not.  Some kernels don't report all of them: how one reported switch
 * relates to the next is never taken for granted.
 */
#ifndef KVIEW_ABSENCES_BPF_H
#define KVIEW_ABSENCES_BPF_H

/* The thread begins to run on this CPU. */
static __always_inline void thread__rebase(struct thread *t, struct task_struct *task)
{
	if (own_switches) {
		t->arrivals = task->sched_info.pcount;
		t->delay_at_out_ns = task->sched_info.run_delay;
	}
	t->cpu = this_cpu();
	t->steal_base_ns = steal__now(task);
	t->uncharged_base_ns = uncharged__now(task);
}

/* The thread has run here since in_ns, and the scheduler's account of this moment charged it ran_ns for that. */
static __always_inline void thread__runs_since(struct thread *t, struct task_struct *task, u64 in_ns,
					       const struct account *a, u64 ran_ns)
{
	thread__rebase(t, task);
	t->uncharged_base_ns = a->uncharged_ns;
	t->in_ns = in_ns;
	t->start_at_in_ns = a->start_ns - ran_ns;
	t->exec_at_in_ns = a->ran_ns - ran_ns;
}

/* The thread was off its CPU from out_ns to in_ns, for this cause, and was woken at wake_ns. */
static __always_inline void thread__add_off(struct thread *t, u32 cause, u64 out_ns, u64 wake_ns,
					    u64 in_ns)
{
	if (in_ns < out_ns)
		in_ns = out_ns;
	if (cause == OUT_IN_PROBE) {
		t->off_ns[OFF_IN_PROBE] += in_ns - out_ns;
		t->off_ns[OFF_IN_PROBE_SQUARES] += ((in_ns - out_ns) >> 10) * ((in_ns - out_ns) >> 10);
		return;
	}
	if (cause == XP_PREEMPTED) {
		t->off_ns[XP_PREEMPTED - XP_FIRST_CAUSE] += in_ns - out_ns;
		return;
	}
	if (wake_ns < out_ns || wake_ns > in_ns)
		wake_ns = in_ns;
	cause -= XP_FIRST_CAUSE;
	if (cause < XP_CAUSES)
		t->off_ns[cause] += wake_ns - out_ns;
	t->off_ns[XP_RUN_QUEUE - XP_FIRST_CAUSE] += in_ns - wake_ns;
}

/*
 * What the CPU that it was last seen on has lost since then, and this one, if it is another, since a switch
 * was seen here: more than they lost to the thread.  Of a third one that it was on in between, unreported,
 * nothing is known.  Global, as its callers' stacks are full.
 */
__noinline __u64 thread__lost(const struct thread *t)
{
	const struct cpu_clocks *here = &cpu_clocks[this_cpu()], *there;
	u64 lost = 0;

	if (!t)
		return LOST_UNKNOWN;
	there = &cpu_clocks[BOUND(t->cpu, XP_MAX_CPUS - 1)];
	if (!here->rq || !there->rq)
		return LOST_UNKNOWN;
	if (there != here)
		lost = cpu_clocks__lost(here, bpf_get_current_task_btf()) + 2 * here->behind_ns +
		       clocks__apart(here, bpf_ktime_get_ns() -
				     (t->in_ns < here->seen_ns ? t->in_ns : here->seen_ns));
	return lost + rq__lost(there->rq, t->uncharged_base_ns, t->steal_base_ns);
}

/*
 * It is surely off and can run.  Whether it was reported as it left does not matter: a time before it left, or one after which
 * it was on its CPU, says nothing and is left out where it is used.
 */
static __always_inline void thread__is_woken(struct thread *t, u64 now)
{
	WRITE_ONCE(t->wake_ns, now);
}

/* Where no switch-in is reported: it has come to a CPU since it was last known to be on one, or to leave it. */
static __always_inline bool thread__has_arrived(const struct thread *t, struct task_struct *task)
{
	return READ_ONCE(task->sched_info.pcount) != READ_ONCE(t->arrivals);
}

/* What it waited for a CPU, since then. */
static __always_inline u64 thread__queued_ns(const struct thread *t, struct task_struct *task)
{
	return task->sched_info.run_delay - READ_ONCE(t->delay_at_out_ns);
}

/*
 * Where wake-ups are not reported, by what the scheduler has added to its wait since, which ends late_ns before it came to a CPU.  Who is
 * out of quota may wait in the queue as well.
 */
static __always_inline u64 thread__woken_ns(const struct thread *t, struct task_struct *task, u64 out_ns, u32 cause, u64 in_ns, u64 late_ns)
{
	u64 queued = thread__queued_ns(t, task) + late_ns;

	if (cause == XP_THROTTLED)
		return in_ns;
	return in_ns > out_ns + queued ? in_ns - queued : out_ns;
}

/*
 * Why it was off for so long since then, where neither switch was reported: who was woken had waited, nobody knows for what.
 * Where only its own events tell of switches, not even that.
 */
static __always_inline u32 thread__unseen_cause(struct thread *t, u64 since_ns)
{
	u64 wake = READ_ONCE(t->wake_ns);

	if (own_switches)
		return XP_OTHER;
	return wake && wake >= since_ns ? XP_OTHER : XP_PREEMPTED;
}

/* How far the time may be wrong: by so much, but not by more than the time itself. */
static __always_inline void thread__doubts(struct thread *t, u64 ns, u64 begin_ns, u64 end_ns)
{
	u64 most = end_ns > begin_ns ? end_ns - begin_ns : 0;

	t->off_ns[OFF_UNCERTAIN] += ns < most ? ns : most;
}

/*
 * The thread runs although its switch-in was never reported.  By the clock of tasks, that was as
 * long ago as the thread was charged since it left; how that stood to CLOCK_MONOTONIC was seen at a
 * switch not long before.  What the CPU has lost since then most likely was lost to this thread.  Where
 * no switch was seen there, it can have been as early as the thread was woken.
 * Global, so that the verifier looks at it once.
 */
__noinline int thread__heal(struct thread *t)
{
	const struct cpu_clocks *c = &cpu_clocks[this_cpu()];
	struct task_struct *task = bpf_get_current_task_btf();
	u64 generation, out, wake, in, ran, least, doubt;
	struct account a;
	u32 cause;

	if (!t)
		return 0;
	generation = READ_ONCE(t->generation);
	barrier();
	out = READ_ONCE(t->out_ns);
	wake = READ_ONCE(t->wake_ns);
	cause = READ_ONCE(t->out_cause);
	ran = READ_ONCE(t->exec_at_out_ns);
	if (!out)
		return 0;
	account__take(&a, task);
	ran = a.ran_ns - ran;
	least = wake > out && wake < a.now_ns ? wake : out;
	in = a.now_ns - ran;
	doubt = LOST_UNKNOWN;
	if (a.is_dated) {
		in = a.start_ns - ran + c->uncharged_ns + c->offset_ns;
		doubt = cpu_clocks__lost(c, task) + 2 * c->behind_ns +
			clocks__apart(c, in > c->seen_ns ? in - c->seen_ns : c->seen_ns - in);
	}
	if ((s64)(in - least) < 0)
		in = least;
	if (in > a.now_ns)
		in = a.now_ns;
	/* A switch since then has healed it: it comes between like a signal. */
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return 0;
	thread__doubts(t, doubt, least, a.is_dated ? a.now_ns : in + clocks__apart(c, ran));
	thread__add_off(t, cause, out, wake, in);
	if (a.is_dated)
		a.uncharged_ns = in - (a.start_ns - ran) - c->offset_ns;
	thread__runs_since(t, task, in, &a, ran);
	if (a.is_dated)
		t->steal_base_ns = c->steal_ns;
	t->out_ns = 0;
	t->wake_ns = 0;
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
	return 0;
}

/*
 * The switch-out was never reported.  How long the thread ran before it says when it was, but for
 * what its CPU lost to interrupts and to the hypervisor.
 */
static __always_inline void thread__heal_out(struct thread *t, struct task_struct *task, u8 cause,
					     u64 now)
{
	u64 ran = task->se.sum_exec_runtime - t->exec_at_in_ns, lost = thread__lost(t);
	u64 apart = clocks__apart(&cpu_clocks[this_cpu()], ran);

	t->out_ns = t->in_ns && t->in_ns + ran < now ? t->in_ns + ran : now;
	t->out_cause = cause;
	if (t->in_ns)
		thread__doubts(t, lost + apart, t->out_ns - apart, now);
	else if (t->probe_ns)
		thread__doubts(t, LOST_UNKNOWN, t->probe_ns, now);
	__sync_fetch_and_add(&counters.healed_switches, 1);
}

/* The thread left its CPU and returns now.  It ran in between, but it is not known where: neither switch was reported. */
static __always_inline void thread__heal_run(struct thread *t, struct task_struct *task, u64 now)
{
	u64 ran = task->se.sum_exec_runtime - t->exec_at_out_ns;

	if (!ran)
		return;
	t->out_ns = t->out_ns + ran < now ? t->out_ns + ran : now;
	thread__doubts(t, LOST_UNKNOWN, t->out_ns, now);
	__sync_fetch_and_add(&counters.healed_switches, 1);
}

/* Shorter absences are not looked for. */
#define UNSEEN_NS	500000
/* How often probes look for them: an absence that counts takes longer, so no look finds two of them. */
#define LOOK_NS		(UNSEEN_NS / 2)
/* The scheduler is seldom later than that. */
#define LATE_NS		48000

/* How much of the time since the last switch-in isn't in the account, which is up to date as it leaves.  Less than nothing: NTP. */
static __always_inline s64 thread__unaccounted(struct thread *t, struct task_struct *task, u64 now)
{
	return now - t->in_ns - (task->se.sum_exec_runtime - t->exec_at_in_ns) -
	       (uncharged__now(task) - t->uncharged_base_ns);
}

/*
 * The same at any time, by the scheduler's clock alone: while a task runs, exec_start goes on by as
 * much as sum_exec_runtime.  An update between the two reads makes the gap smaller.
 */
static __always_inline u64 thread__gap(struct thread *t, struct task_struct *task)
{
	u64 start = READ_ONCE(task->se.exec_start), ran;
	s64 gap;

	barrier();
	ran = READ_ONCE(task->se.sum_exec_runtime) - t->exec_at_in_ns;
	gap = start - t->start_at_in_ns - ran;
	return t->in_ns && gap > 0 ? gap : 0;
}

/* Since it was last looked for; what the CPU lost meanwhile was no task's. */
static __always_inline void thread__was_away(struct thread *t, u64 generation, u64 away_ns,
					     u64 looked_ns, u64 now)
{
	u64 lost = thread__lost(t) + clocks__apart(&cpu_clocks[this_cpu()], away_ns);

	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return;
	t->in_ns += away_ns;
	t->start_at_in_ns += away_ns;
	t->off_ns[thread__unseen_cause(t, looked_ns) - XP_FIRST_CAUSE] += away_ns;
	t->wake_ns = 0;
	thread__doubts(t, lost, looked_ns + away_ns, now);
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
}

/*
 * Neither switch of an absence was reported.  Why the thread was away is not known; most
 * likely preempted, unless it was woken.  What is compared must belong together: a probe's program that was
 * switched in between has just seen that nothing went unseen.
 */
__noinline int thread__find_unseen(struct thread *t, __u64 now)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 generation, away, looked;

	if (!t)
		return 0;
	generation = READ_ONCE(t->generation);
	looked = t->looked_ns;
	t->looked_ns = now;
	barrier();
	away = thread__gap(t, task);
	if (away < UNSEEN_NS)
		return 0;
	/* Another CPU may be in the middle of an update: then it is not there the next time. */
	barrier();
	if (thread__gap(t, task) == away)
		thread__was_away(t, generation, away, looked, now);
	return 0;
}

/*
 * The thread is on another CPU, and neither switch was reported.  What it was charged is known, and
 * the rest of the time it was away, but for what the two CPUs lost while it was on them: not more
 * than they did since, and not before it was last seen to run.
 */
__noinline int thread__moved(struct thread *t)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 generation, in, ran, doubt, away = 0;
	struct account a;

	if (!t)
		return 0;
	generation = READ_ONCE(t->generation);
	barrier();
	if (READ_ONCE(t->cpu) == this_cpu() && !(own_switches && thread__has_arrived(t, task)))
		return 0;
	in = READ_ONCE(t->in_ns);
	ran = READ_ONCE(t->exec_at_in_ns);
	account__take(&a, task);
	ran = a.ran_ns - ran;
	if (in && (s64)(a.at_ns - in - ran) > 0)
		away = a.at_ns - in - ran;
	doubt = in ? thread__lost(t) : LOST_UNKNOWN;
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return 0;
	t->off_ns[thread__unseen_cause(t, in) - XP_FIRST_CAUSE] += away;
	t->wake_ns = 0;
	/* Before its first probe no call has begun. */
	if (t->probe_ns)
		thread__doubts(t, doubt, t->in_ns > t->probe_ns ? t->in_ns : t->probe_ns, a.now_ns);
	thread__runs_since(t, task, in ? in + away : 0, &a, ran);
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
	return 0;
}

#endif
