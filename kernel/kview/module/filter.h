/* SPDX-License-Identifier: GPL-2.0 */
/* Hooks in the base, behind a filter: KVIEW_SET_FILTER. */
#ifndef KVIEW_MODULE_FILTER_H
#define KVIEW_MODULE_FILTER_H

struct kview_set;
struct kview_space;

/* What the base calls, in place of a function's NOP: no C function. */
extern char kview_filter[];

/*
 * Puts the set's hooks into the base, after kview_set_show() and before kview_set_start().  Without
 * kview_lock; ftrace can wait for RCU tasks.  -ENOMEM, or ftrace's errors (-EBUSY: another direct
 * call is at one of the places): no hook is left.
 */
int kview_filter_start(struct kview_set *set);
/*
 * Takes them out, before kview_set_remove(): when it returns nobody is in them.  Does nothing for
 * sets without.  Without kview_lock; waits for RCU tasks.
 */
void kview_filter_stop(struct kview_set *set);

/*
 * Marks an address space that is entering its view, if a set there has a filter; or takes the mark
 * away.  Under kview_lock.
 */
void kview_filter_enter(struct kview_space *s);
void kview_filter_leave(struct kview_space *s);

#endif
