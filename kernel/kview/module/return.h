/* SPDX-License-Identifier: GPL-2.0 */
/* Function returns. */
#ifndef KVIEW_MODULE_RETURN_H
#define KVIEW_MODULE_RETURN_H

struct kview_set;
struct kview_site;
struct pt_regs;

#define KVIEW_RETURNS	2048		/* calls at a time, unless another number is chosen */

/* Gives a set @nreturns nodes: its @returns.  Sleeps.  -ENOMEM: it has none. */
int kview_returns_create(struct kview_set *set);

/* The bytes that the nodes take; 0 if the set has none. */
u64 kview_returns_memory(const struct kview_set *set);

/*
 * From now on no further call is watched, and no eBPF program runs when a watched call returns.  The
 * nodes of watched calls are freed as these return.  The set may be freed a grace period of RCU
 * later.  Does nothing if it was called before, or if the set has no nodes.
 */
void kview_returns_stop(struct kview_set *set);

/*
 * In the hook, at the function's entry: changes its return address, so that the set's eBPF programs run
 * when it returns.  A call that can't be watched is counted in KVIEW_LOST_MISSED.
 */
void kview_watch_return(const struct kview_site *site, struct pt_regs *regs);

#endif
