/* SPDX-License-Identifier: GPL-2.0 */
/* Places of hooks, shared by all views. */
#ifndef KVIEW_MODULE_SPOT_H
#define KVIEW_MODULE_SPOT_H

#include <linux/list.h>
#include <linux/types.h>

struct pt_regs;
struct tracepoint;

/* Under kview_lock, but for what hooks read: all but @limbo and @refs, under RCU. */
struct kview_spot {
	struct hlist_node node;		/* by @ip */
	/* On this list when @refs is 0, until its thunk may be used again. */
	struct list_head limbo;
	unsigned long ip;
	u64 insn;			/* the base's bytes at ip, never one half-written */
	struct tracepoint *tp;		/* NULL: a function's entry */
	bool filter;			/* called by the base alone: insn is 0 */
	/*
	 * Whoever passes this place may be about to borrow the view's page tables: see borrow.c.
	 */
	bool lends;
	u32 id;				/* its thunk's number, 0..KVIEW_SITES_MAX-1 */
	u32 refs;			/* sites of all sets */
	u32 noff;			/* sets that have it and are switched off */
};

/*
 * The spot of a place, new or shared, for kview_spot_put().  Under kview_lock; takes text_mutex,
 * and sleeps.  -ENOMEM; else kview_thunk_get()'s errors.
 */
struct kview_spot *kview_spot_get(unsigned long ip, struct tracepoint *tp, bool filter);
/*
 * Lets go of one.  Under kview_lock, a grace period of RCU after the flush that took its call from
 * the last view.
 */
void kview_spot_put(struct kview_spot *spot);

/*
 * In the hook, with preemption off: by a thunk's number, and, of those with @filter, by the place;
 * NULL: it is gone.
 */
struct kview_spot *kview_spot_by_id(u32 id);
struct kview_spot *kview_spot_of_filter(unsigned long ip);

/*
 * In the hook, at a spot with @lends: loads the base's page tables, so that a task without memory
 * of its own that runs next does not borrow the view's.
 */
void kview_spot_lend(struct pt_regs *regs);

/* Base text has just been written, by whoever holds text_mutex.  Interrupts off. */
void kview_spots_rewritten(unsigned long va, size_t len);

/* How many are in use.  No lock: the figure may be out of date. */
u32 kview_spot_count(void);

/* When the module is loaded, before there is any. */
void kview_spots_init(void);

/* At unloading, when no view is left: all are freed when it returns.  Waits for RCU tasks. */
void kview_spots_exit(void);

#endif
