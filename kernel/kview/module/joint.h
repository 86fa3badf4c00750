/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Several views of one address space.
 *
 * An address space that is in one view runs that view's text.  One that is in several runs a
 * joint text, which has the sites of all of them; it is made when the second attaches, and shared
 * by all address spaces that are in the same views.  Who runs what:
 *
 *	                  text (page tables)            sites, found by the hook
 *	in A              A's                           A's directory, at once
 *	in A and B        joint text of {A, B}          A's and B's, one after the other: handler.c
 *	in B again        B's                           B's, at once
 *
 * Owners.  A joint text belongs to no view.  It is kept by the address spaces that run it and holds
 * its views.  Each set that comes or goes changes its view's text and all joint texts that have the
 * view, all of them or none (edit.c).  An address space has one struct kview_space for each view it
 * is in: each client's membership, counters and end are its own.
 *
 * Instants.  A membership begins and ends with one store of its own, @own, which hooks read once a
 * call; those of others are not touched.  Text comes before the first and goes after the second.
 * While it changes, every step shows the sites of those who stay (show.c), so that they lose no
 * call; and what a thunk leads to while its view is not a member is nothing.
 *
 * Fork, exec, exit.  Each view has its own site there (policy.c) and its own flags: a child joins
 * those attachments that follow, one after the other, before its first instruction in user mode.
 * Memory ends for each membership by a notifier of its own.  A joint text that nobody runs stays as
 * long as somebody is about to join one of its views: so execve finds what its process ran before,
 * and neither copies text nor takes text_mutex.
 *
 * Memory.  A joint text is charged to whoever makes it necessary: the client who attaches, or
 * leaves two others behind, or a process that joins.  It is told as memory of one of its views, the
 * last to come.  Where there is no memory for a smaller joint text, as one of several leaves, the
 * address space stays on the text it has: what is too much in it leads nowhere, and its view stays,
 * closed or not, until nobody runs it.
 */
#ifndef KVIEW_MODULE_JOINT_H
#define KVIEW_MODULE_JOINT_H

#include <linux/types.h>

struct kview_space;
struct kview_tables;
struct kview_text;
struct kview_view;

/* All under kview_lock. */

/*
 * The text of an address space that is in exactly these views: @n of them, at most
 * KVIEW_VIEWS_MAX, in any order, the last to come last.  It is the view's own if that is the only
 * one.  Somebody is to be put on it, or kview_joint_release() called.  Takes text_mutex; sleeps.
 * -ENOMEM; -EADDRNOTAVAIL: somebody has a kprobe on an instruction that it overrides.
 */
struct kview_text *kview_joint_get(struct kview_view **view, u32 n);

/* Would kview_joint_get() find it made? */
bool kview_joint_exists(struct kview_view **view, u32 n);

/*
 * Somebody has gone from this text, after the flush: one that nobody runs any more goes, unless
 * somebody is about to join one of its views.
 */
void kview_joint_release(struct kview_text *t);

/* Somebody who was about to join a view has done so, or has not: texts kept for him alone go. */
void kview_joints_trim(void);

/* Scratch tables by which to go from one text to the other, two of them; one is a joint one. */
struct kview_tables *kview_joint_steps(struct kview_text *a, struct kview_text *b);

/* Has @t all views that @u has? */
bool kview_joint_covers(const struct kview_text *t, const struct kview_text *u);

/* The joint texts with a view, one after the other: the one after @t, NULL: the first; or NULL. */
struct kview_text *kview_joint_next(const struct kview_view *v, const struct kview_text *t);

/* Was it this view that made the joint text necessary? */
bool kview_joint_made_by(const struct kview_text *t, const struct kview_view *v);

#endif
