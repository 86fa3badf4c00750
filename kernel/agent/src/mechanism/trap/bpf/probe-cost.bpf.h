/* SPDX-License-Identifier: GPL-2.0 */
/* What a call's probes on a function cost, by how the kernel runs the instructions under them. */
#ifndef KVIEW_PROBE_COST_BPF_H
#define KVIEW_PROBE_COST_BPF_H

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

/* What calls cost whose condition is known at their entry not to be true of them. */
struct xp_cost unmatched_costs[XP_COST_CLASSES];

static __always_inline const struct xp_cost *cost__of_unmatched(u32 class)
{
	return &unmatched_costs[BOUND(class, XP_COST_CLASSES - 1)];
}

/* Such a call that is not followed: its entry is all that there is of it. */
static __always_inline void cost__unmatched(struct thread *t, u32 function, u32 class)
{
	const struct xp_cost *cost = cost__of_unmatched(class);

	if (t)
		thread__pays(t, cost);
	cost__add(function, cost->likely_ns);
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
