/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One instant for all CPUs.
 *
 * Sets are switched on and off at a moment: a number that only grows, and that every hook
 * which may meet such a set reads once.  What is to change is written beside each set, as
 * from the next moment on; then the number is increased, by one store.  A hook sees all of
 * a change or nothing of it, on whatever CPU and in whatever process.
 */
#ifndef KVIEW_MODULE_MOMENT_H
#define KVIEW_MODULE_MOMENT_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <asm/barrier.h>

/*
 * The upper bits are a moment.  From that moment on the set is on if the lowest bit is 1,
 * and off if it is 0; before, it was the other way round.
 */
typedef u64 kview_turn_t;

#define KVIEW_ON_EVER	1ULL
#define KVIEW_OFF_EVER	0ULL

extern u64 kview_moment;	/* changed under kview_lock */

/* Read once by a hook, before the turns that are to be compared with it.  Any context. */
static inline u64 kview_moment_now(void)
{
	return smp_load_acquire(&kview_moment);
}

/* Is a set with this @turn on, at the moment @now? */
static inline bool kview_is_on(kview_turn_t turn, u64 now)
{
	return (now >= turn >> 1) == (turn & 1);
}

/*
 * Both under kview_lock: the turn of a change at the next moment, and the step to that
 * moment.
 */
static inline kview_turn_t kview_turn_next(bool on)
{
	return (kview_moment + 1) << 1 | on;
}

static inline void kview_moment_come(void)
{
	smp_store_release(&kview_moment, kview_moment + 1);
}

#endif
