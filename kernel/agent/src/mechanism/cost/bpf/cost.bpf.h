/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The probes' own time: what is taken off the figures, how sure that is, and what probes cost
 * the traced process.
 *
 * A thread sums up what its probes have cost it.  A call's share is what the sum grew by
 * between its entry and its exit, as with the time off the CPU.
 */
#ifndef KVIEW_COST_BPF_H
#define KVIEW_COST_BPF_H

struct xp_cost costs[XP_COST_CLASSES];
/* How much more the first call of a function in a thread may cost: nothing of it is in a cache. */
__u64 first_call_ns;

static __always_inline const struct xp_cost *cost__of_class(u32 class)
{
	return &costs[BOUND(class, XP_COST_CLASSES - 1)];
}

/* What has to be subtracted from the calls around one that ended, or around a site that was passed. */
static __always_inline void thread__pays(struct thread *t, const struct xp_cost *cost)
{
	t->overhead_ns += cost->call_ns;
	t->uncertain_ns += cost->call_spread_ns;
}

/*
 * A thread enters a function for the first time.  How much more that costs is between nothing and first_call_ns:
 * of the calls around it half of that is subtracted, and the other half is uncertain.  How much of it lies within the
 * call itself is not known, so there all of it is uncertain.
 */
static __always_inline void thread__pays_first(struct thread *t, struct frame *f)
{
	u64 half_ns = first_call_ns / 2;

	t->overhead_ns += half_ns;
	f->overhead_ns += half_ns;
	t->uncertain_ns += first_call_ns - half_ns;
	f->uncertain_ns -= half_ns;
}

/*
 * A probe of a function whose thread met none since an earlier moment, or ever (0): see XP_RESTED_NS.  Nothing is taken off more
 * for that, but so much more may be wrong in the calls around; returns how much in the call itself.
 */
static __always_inline u64 thread__rested(struct thread *t, u32 function, u32 class, u64 before_ns, u64 now_ns)
{
	const struct xp_cost *cost = cost__of_class(class);
	u64 rest_ns = now_ns - before_ns, most_ns = rest_ns;
	struct xp_calls *sums;

	if (!before_ns || now_ns < before_ns + XP_RESTING_NS)
		return 0;
	if (rest_ns > XP_RESTED_NS)
		rest_ns = XP_RESTED_NS;
	if (most_ns > XP_RESTED_MOST_NS)
		most_ns = XP_RESTED_MOST_NS;
	t->uncertain_ns += cost->rested_call_ns * most_ns / XP_RESTED_MOST_NS;
	sums = calls__of(function);
	if (sums)
		__sync_fetch_and_add(&sums->rested_ns, cost->rested_likely_ns * rest_ns / XP_RESTED_NS);
	return cost->rested_inner_ns * most_ns / XP_RESTED_MOST_NS;
}

/* At a call's entry, which is to be the thread's last probe from now on. */
static __always_inline void call__begins_at(struct thread *t, struct frame *f, u64 now_ns)
{
	u64 uncertain_ns = t->uncertain_ns, inner_ns = thread__rested(t, f->function, f->class, t->probe_ns, now_ns);

	/* In the call itself that, and not what the calls around have to pay. */
	f->uncertain_ns += t->uncertain_ns - uncertain_ns - inner_ns;
	f->begin_ns = now_ns;
	t->probe_ns = now_ns;
}

/* What all probes of a function cost. */
static __always_inline void cost__add(u32 function, u64 ns)
{
	struct xp_calls *sums = calls__of(function);

	if (sums)
		__sync_fetch_and_add(&sums->cost_ns, ns);
}

/* A call's probes, once it was measured: as one of its class, and by how much it differs. */
static __always_inline void cost__call(u32 function, u32 call_class, const struct times *times)
{
	const struct xp_cost *cost = cost__of_class(call_class);
	struct xp_calls *sums = calls__of(function);
	u32 class = BOUND(call_class, XP_COST_CLASSES - 1);

	if (!sums || class >= XP_COST_CALLS)
		return;
	__sync_fetch_and_add(&sums->ended[class], 1);
	if (times->removed_ns != cost->inner_ns) {
		__sync_fetch_and_add(&sums->removed_ns, times->removed_ns - cost->inner_ns);
		if (times->waited_ns) {
			__sync_fetch_and_add(&sums->waited_ns, times->waited_ns);
			__sync_fetch_and_add(&sums->waited_squares, times->waited_squares);
		}
	}
	if (times->uncertain_ns != cost->inner_spread_ns)
		__sync_fetch_and_add(&sums->uncertain_ns,
				     times->uncertain_ns - cost->inner_spread_ns);
	if (times->missing_ns)
		__sync_fetch_and_add(&sums->missing_ns, times->missing_ns);
}

#endif
