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

static __always_inline const struct xp_cost *cost__of(u32 function, u32 exit_class)
{
	struct xp_function *info = bpf_map_lookup_elem(&functions, &function);
	u32 entry_class = info && info->entry_class == XP_ENTRY_STEPPED;

	return cost__of_class(XP_COST_CALL(entry_class, exit_class));
}

/* That of a call that is followed, which ends by an exit of this class. */
static __always_inline u32 call__class(const struct frame *f, u32 exit_class)
{
	return XP_COST_CALL(f->flags & FRAME_STEPPED ? XP_ENTRY_STEPPED : XP_ENTRY_EMULATED,
			    exit_class);
}

static __always_inline const struct xp_cost *cost__of_call(const struct frame *f, u32 exit_class)
{
	return cost__of_class(call__class(f, exit_class));
}

/* What has to be subtracted from the calls around one that ended, or around a site that was passed. */
static __always_inline void thread__pays(struct thread *t, const struct xp_cost *cost)
{
	t->overhead_ns += cost->call_ns;
	t->uncertain_ns += cost->call_spread_ns;
}

/*
 * An entry without an end of its own to pay for: the call was left, or it ended together with
 * another call.
 */
static __always_inline void thread__pays_entry(struct thread *t, const struct frame *f)
{
	const struct xp_cost *cost = cost__of_class(f->class);

	t->overhead_ns += cost->entry_ns;
	t->uncertain_ns += cost->entry_spread_ns;
}

/*
 * Calls are paid for when they end.  If a call switches stacks, the thread may meet entries whose
 * calls end later, or ends of earlier calls.  So the cost of the entries of open frames is kept
 * apart, and what it grew by within a call is charged to that call as well.
 */
static __always_inline void thread__opens(struct thread *t, struct frame *f)
{
	const struct xp_cost *cost = cost__of_class(f->class);

	t->open_ns += cost->entry_ns;
	t->open_spread_ns += cost->entry_spread_ns;
	f->open_ns = t->open_ns;
	f->open_spread_ns = t->open_spread_ns;
}

static __always_inline void thread__closes(struct thread *t, const struct frame *f)
{
	const struct xp_cost *cost = cost__of_class(f->class);

	t->open_ns -= cost->entry_ns;
	t->open_spread_ns -= cost->entry_spread_ns;
}

/* What all probes of a function cost. */
static __always_inline void cost__add(u32 function, u64 ns)
{
	struct xp_calls *sums = calls__of(function);

	if (sums)
		__sync_fetch_and_add(&sums->cost_ns, ns);
}

/*
 * Half a call's probes: an entry or an end that belongs to no call that is measured.  It is
 * uncertain by the other half, as the two need not cost the same.
 */
static __always_inline void cost__half(struct thread *t, u32 function, const struct xp_cost *cost)
{
	if (t) {
		t->overhead_ns += cost->call_ns / 2;
		t->uncertain_ns += cost->call_ns / 2 + cost->call_spread_ns;
	}
	cost__add(function, cost->likely_ns / 2);
}

/* A call's probes, once it was measured: as one of its class, and by how much it differs. */
static __always_inline void cost__call(const struct frame *f, u32 exit_class,
				       const struct times *times)
{
	const struct xp_cost *cost = cost__of_call(f, exit_class);
	struct xp_calls *sums = calls__of(f->function);
	u32 class = BOUND(call__class(f, exit_class), XP_COST_CLASSES - 1);

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

/*
 * A site of a function was passed: the jump stayed in the function, or there was no call that it
 * could end.
 */
static __always_inline void cost__pass(struct thread *t, u32 function, u32 exit_class)
{
	const struct xp_cost *cost = cost__of_class(XP_COST_PASS(exit_class));

	if (t)
		thread__pays(t, cost);
	calls__add(function, passed);
	cost__add(function, cost->likely_ns);
}

#endif
