// SPDX-License-Identifier: GPL-2.0
/*
 * Sets are switched on and off, several of them at one instant (moment.h), whatever of
 * their text is shown on which CPU.
 *
 *	on:	link, as gated; wait for RCU; the moment; no longer gated
 *	off:	gated; wait for RCU; the moment; wait for RCU; unlink; wait for RCU
 *
 * A hook that began with one list of sites at a place must not see the moment that is meant for
 * the next list: hence the waits before and after it.
 *
 * Hooks at a gated set's places take a way that looks at the moment.  At any other time
 * nobody pays for it: a set that is on is called as if it could not be switched, and the
 * thunks of one that is off lead nowhere.
 *
 * The hook counts the first site at a place before it knows, and takes that back: who reads
 * counters meanwhile waits for the end of the switch (tally.c).
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "lock.h"
#include "memory.h"
#include "moment.h"
#include "set.h"
#include "switch.h"
#include "view.h"

/* Hooks can meet the set from now on, and see that it is off.  Under kview_lock. */
void kview_set_gate(struct kview_set *set)
{
	set->gated = true;
	kview_view_link(set->view, set);
}

/* The instant at which sets that are gated become active, or cease to be.  Under kview_lock. */
static void kview_sets_turn(struct kview_set **set, u32 n, bool on)
{
	u32 i;

	if (n && !set[0]->callback)
		kview_test_hold(KVIEW_HOLD_INSTANT);
	for (i = 0; i < n; i++)
		WRITE_ONCE(set[i]->turn, kview_turn_next(on));
	kview_moment_come();
}

/*
 * Called before the first hook can count a hit that it takes back, and again when the last one has
 * taken its hit back.  Whoever reads such a hit finds the number odd, or changed.
 */
static void kview_sets_switching(struct kview_set **set, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		smp_store_release(&set[i]->switches, set[i]->switches + 1);
	smp_mb();
}

/* Hooks need not look at the moment any more.  Under kview_lock. */
static void kview_sets_open(struct kview_set **set, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		set[i]->gated = false;
	for (i = 0; i < n; i++)
		if (set[i]->linked)
			kview_view_simplify(set[i]->view, set[i]);
}

/* After kview_set_show(), under the same kview_lock or, with two sites at one place, later. */
void kview_set_start(struct kview_set *set)
{
	if (!set->linked)
		return;
	kview_sets_turn(&set, 1, true);
	kview_sets_open(&set, 1);
}

/* Puts those that are to be switched first, and returns how many they are. */
static u32 kview_sets_choose(struct kview_set **set, u32 n, bool on)
{
	u32 i, m = 0;

	for (i = 0; i < n; i++)
		if (set[i]->linked != on) {
			swap(set[i], set[m]);
			m++;
		}
	return m;
}

static int kview_sets_on(struct kview_view *v, struct kview_set **set, u32 n)
{
	u32 i;

	mutex_lock(&kview_lock);
	if (v->closed) {
		mutex_unlock(&kview_lock);
		return -ENODEV;
	}
	n = kview_sets_choose(set, n, true);
	kview_sets_switching(set, n);
	for (i = 0; i < n; i++)
		kview_set_gate(set[i]);
	mutex_unlock(&kview_lock);
	if (!n)
		return 0;
	/* until all hooks find all of them */
	synchronize_rcu();
	mutex_lock(&kview_lock);
	kview_sets_turn(set, n, true);
	kview_sets_open(set, n);
	mutex_unlock(&kview_lock);
	/* until nobody finds a thunk that leads nowhere */
	synchronize_rcu();
	mutex_lock(&kview_lock);
	for (i = 0; i < n; i++)
		kview_view_off(set[i], false);
	kview_sets_switching(set, n);
	mutex_unlock(&kview_lock);
	return 0;
}

static int kview_sets_off(struct kview_view *v, struct kview_set **set, u32 n)
{
	u32 i;

	mutex_lock(&kview_lock);
	if (v->closed) {
		mutex_unlock(&kview_lock);
		return -ENODEV;
	}
	n = kview_sets_choose(set, n, false);
	kview_sets_switching(set, n);
	for (i = 0; i < n; i++)
		set[i]->gated = true;
	for (i = 0; i < n; i++)
		kview_view_simplify(v, set[i]);
	mutex_unlock(&kview_lock);
	if (!n)
		return 0;
	/* until all hooks look at the moment */
	synchronize_rcu();
	mutex_lock(&kview_lock);
	kview_sets_turn(set, n, false);
	mutex_unlock(&kview_lock);
	/* until no hook is left that finds them on */
	synchronize_rcu();
	mutex_lock(&kview_lock);
	for (i = 0; i < n; i++) {
		kview_view_off(set[i], true);
		kview_view_unlink(v, set[i]);
	}
	kview_sets_open(set, n);
	mutex_unlock(&kview_lock);
	/* their eBPF programs do not run any more, and they can be linked again */
	synchronize_rcu();
	kview_sets_switching(set, n);
	return 0;
}

/**
 * kview_sets_switch() - switch sets of a view on or off at one instant
 * @v:		the view
 * @set:	the sets, none twice; their order changes
 * @n:		how many
 * @on:		on or off; what is so already stays
 *
 * The caller holds the sets' files.
 */
int kview_sets_switch(struct kview_view *v, struct kview_set **set, u32 n, bool on)
{
	int ret;

	mutex_lock(&v->switching);
	ret = on ? kview_sets_on(v, set, n) : kview_sets_off(v, set, n);
	mutex_unlock(&v->switching);
	return ret;
}
