/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a thread was off its CPU: what the switches tell, and what follows from the scheduler's own
 * account where they do not.  Some kernels don't report all of them: how one reported switch
 * relates to the next is never taken for granted.
 */
#ifndef KVIEW_ABSENCES_BPF_H
#define KVIEW_ABSENCES_BPF_H

/* From now on it runs on this CPU. */
static __always_inline void thread__rebase(struct thread *t, struct task_struct *task)
{
	t->cpu = this_cpu();
	t->steal_base_ns = steal__now(task);
	t->uncharged_base_ns = uncharged__now(task);
}

/* It has run here since in_ns, and was charged ran_ns for that, by an account that was taken now. */
static __always_inline void thread__runs_since(struct thread *t, struct task_struct *task, u64 in_ns,
					       const struct account *a, u64 ran_ns)
{
	thread__rebase(t, task);
	t->uncharged_base_ns = a->uncharged_ns;
	t->in_ns = in_ns;
	t->start_at_in_ns = a->start_ns - ran_ns;
	t->exec_at_in_ns = a->ran_ns - ran_ns;
}

/* It was off from out_ns, for that cause, was woken then, and runs again. */
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
 * The thread runs although its switch-in was never reported.  That was as long before the
 * scheduler's last update of its account as it was charged since it left.  Where the time of that
 * update is not known, it can have been as early as the thread was woken: that much is uncertain.
 * Global, so that the verifier looks at it once.
 */
__noinline int thread__heal(struct thread *t)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 generation, out, wake, in, ran, least;
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
	in = a.at_ns - ran;
	least = wake > out && wake < a.at_ns ? wake : out;
	if ((s64)(in - least) < 0)
		in = least;
	/* A switch since then has healed it: it comes between like a signal. */
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return 0;
	if (!a.is_dated)
		t->uncertain_ns += in - least;
	thread__add_off(t, cause, out, wake, in);
	thread__runs_since(t, task, in, &a, ran);
	t->out_ns = 0;
	t->wake_ns = 0;
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
	return 0;
}

/* Absences that are shorter are not looked for. */
#define UNSEEN_NS	500000
/* So often probes look for it: before the next one an absence of that length has passed. */
#define LOOK_NS		(UNSEEN_NS / 2)

/*
 * How much of the time since the last switch-in the scheduler has not accounted for; as the thread
 * leaves its CPU, when the account is up to date.
 */
static __always_inline u64 thread__unaccounted(struct thread *t, struct task_struct *task, u64 now)
{
	u64 accounted;

	if (!t->in_ns || now < t->in_ns)
		return 0;
	accounted = task->se.sum_exec_runtime - t->exec_at_in_ns +
		    uncharged__now(task) - t->uncharged_base_ns;
	return now - t->in_ns > accounted ? now - t->in_ns - accounted : 0;
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

static __always_inline void thread__was_away(struct thread *t, u64 generation, u64 away_ns)
{
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return;
	t->in_ns += away_ns;
	t->start_at_in_ns += away_ns;
	t->off_ns[XP_PREEMPTED - XP_FIRST_CAUSE] += away_ns;
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
}

/*
 * Neither switch of an absence was reported.  Why the thread was away is not known; most
 * likely preempted.  What is compared must belong together: a probe's program that was
 * switched in between has just seen that nothing went unseen.
 */
static __always_inline void thread__find_unseen(struct thread *t, struct task_struct *task)
{
	u64 generation = READ_ONCE(t->generation), away;

	barrier();
	away = thread__gap(t, task);
	if (away < UNSEEN_NS)
		return;
	/* Another CPU may be in the middle of an update: then it is not there the next time. */
	barrier();
	if (thread__gap(t, task) == away)
		thread__was_away(t, generation, away);
}

/*
 * The thread is on another CPU, and neither switch was reported.  What it was charged is known, and
 * the rest of the time it was away; the clocks of the CPU that it left say nothing any more.
 */
__noinline int thread__moved(struct thread *t)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 generation, in, ran, away = 0;
	struct account a;

	if (!t)
		return 0;
	generation = READ_ONCE(t->generation);
	barrier();
	if (READ_ONCE(t->cpu) == this_cpu())
		return 0;
	in = READ_ONCE(t->in_ns);
	ran = READ_ONCE(t->exec_at_in_ns);
	account__take(&a, task);
	ran = a.ran_ns - ran;
	if (in && (s64)(a.at_ns - in - ran) > 0)
		away = a.at_ns - in - ran;
	if (__sync_val_compare_and_swap(&t->generation, generation, generation + 1) != generation)
		return 0;
	t->off_ns[XP_PREEMPTED - XP_FIRST_CAUSE] += away;
	thread__runs_since(t, task, in ? in + away : 0, &a, ran);
	__sync_fetch_and_add(&t->generation, 1);
	__sync_fetch_and_add(&counters.healed_switches, 1);
	return 0;
}

/* A switch-in that was not reported, at entries and exits; moment__take finds whole absences. */
static __always_inline void thread__catch_up(struct thread *t)
{
	if (t->out_ns)
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
		if (m->cpu != READ_ONCE(t->cpu)) {
			thread__moved(t);
		} else if (m->now_ns - t->looked_ns >= LOOK_NS) {
			t->looked_ns = m->now_ns;
			thread__find_unseen(t, task);
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
	u64 unaccounted = thread__unaccounted(t, task, now), at = now - unaccounted;

	/* The clocks went apart by so much. */
	if (unaccounted >= UNSEEN_NS)
		return now;
	return at > t->probe_ns ? at : t->probe_ns < now ? t->probe_ns : now;
}

/* It leaves its CPU; the switch-in before was reported, or is healed. */
static __always_inline void thread__out(struct thread *t, struct task_struct *task, u8 cause, u64 now)
{
	u64 unseen;

	if (t->cpu != this_cpu())
		thread__moved(t);
	/* By one clock: two go apart in a long run, and 0.5 ms in 10 s is nothing unusual. */
	unseen = thread__gap(t, task);
	if (unseen >= UNSEEN_NS)
		thread__was_away(t, t->generation, unseen);
	t->out_ns = cause == XP_PREEMPTED ? thread__preempted_at(t, task, now) : now;
	t->exec_at_out_ns = task->se.sum_exec_runtime;
	clock_offset__see(task, now);
	t->off_ns[XP_STEAL - XP_FIRST_CAUSE] += steal__now(task) - t->steal_base_ns;
	thread__rebase(t, task);
}

/* It runs again; the switch-out before was reported, or is healed. */
static __always_inline void thread__in(struct thread *t, struct task_struct *task, u64 now)
{
	thread__add_off(t, t->out_cause, t->out_ns, t->wake_ns, now);
	clock_offset__see(task, now);
	thread__rebase(t, task);
	t->in_ns = now;
	t->start_at_in_ns = task->se.exec_start;
	t->exec_at_in_ns = task->se.sum_exec_runtime;
	t->out_ns = 0;
	t->wake_ns = 0;
	WRITE_ONCE(t->generation, t->generation + 1);
}

/*
 * Causes that add up to more than the call took: what it took is known, and when its switches were
 * may have been rebuilt.  What was most likely made up goes first.
 */
static __always_inline void causes__shorten(struct ending *end, u64 excess)
{
	u64 *preempted = &end->off_ns[XP_PREEMPTED - XP_FIRST_CAUSE], cut;
	int i;

	end->times.excess_ns = excess;
	cut = *preempted < excess ? *preempted : excess;
	*preempted -= cut;
	excess -= cut;
#pragma clang loop unroll(disable)
	for (i = 0; i < XP_CAUSES; i++) {
		cut = end->off_ns[i] < excess ? end->off_ns[i] : excess;
		if (i == XP_STEAL - XP_FIRST_CAUSE)
			cut = 0;
		end->off_ns[i] -= cut;
		excess -= cut;
	}
}

#endif
