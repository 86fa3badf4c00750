/* SPDX-License-Identifier: GPL-2.0 */
/* What a thread has been off its CPU for, as of one moment. */
#ifndef KVIEW_MOMENT_BPF_H
#define KVIEW_MOMENT_BPF_H

#define MOMENT_TRIES	4

/*
 * The thread's counters, but for stolen time, do not change within a generation: off_ns is left
 * as it is where they are of the one that the caller knows.  Where the thread loses its CPU within each try, an
 * absence of the last one is before the clock and behind the counters: who begins or ends a call here adds doubt_ns.
 */
static __always_inline void moment__take(struct moment *m, struct thread *t,
					 struct task_struct *task, u64 known, u64 *off_ns)
{
	u64 generation, before_ns = 0;
	int try, i;

	m->now_ns = 0;
	m->doubt_ns = 0;
#pragma clang loop unroll(disable)
	for (try = 0; try < MOMENT_TRIES; try++) {
		generation = READ_ONCE(t->generation);
		before_ns = m->now_ns;
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
			thread__find_unseen(t, m->now_ns);
		}
		barrier();
		if (READ_ONCE(t->generation) == generation)
			break;
	}
	if (try == MOMENT_TRIES)
		m->doubt_ns = m->now_ns - before_ns;
	m->generation = generation;
}

#endif
