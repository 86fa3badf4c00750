/* SPDX-License-Identifier: GPL-2.0 */
/* Address spaces in views. */
#ifndef KVIEW_MODULE_SPACE_H
#define KVIEW_MODULE_SPACE_H

#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct kview_attachment;
struct kview_site;
struct kview_text;
struct kview_view;

/* What a task has to do on its way to user mode, see follow.c. */
struct kview_follow {
	struct callback_head work;
	struct kview_attachment *att;
	/* If the task is still in this address space when the work runs, its execve failed early. */
	struct mm_struct *left;
	bool join;			/* or leave for good */
	bool resync;			/* others go on using the memory it leaves */
	bool spare;			/* it was taken from the address space's reserve */
};

/*
 * One address space in one view; it holds @view, @att and mm_count.  In several views it has one of
 * these for each: its peers (joint.h).  Hooks read @mm, @dir, @own, @view, @att and @next under
 * RCU; the rest is under kview_lock, @hashed and @claimed under kview_spaces_lock.
 */
struct kview_space {
	struct mm_struct *mm;
	/*
	 * Where hooks look first.  It is @own, or kview_no_dir if there were peers before this one: then
	 * hooks look at the @own of all peers.
	 */
	struct kview_site __rcu ***dir;
	struct kview_site __rcu ***own;	/* the view's, or kview_no_dir: on its way in or out */
	struct kview_view *view;
	struct kview_space __rcu *next;	/* in its hash bucket */
	struct kview_attachment *att;
	struct list_head node;		/* in the attachment */
	struct list_head todo;		/* on the list of whoever claimed it */
	struct mmu_interval_notifier mn;	/* tells of the end of the memory */
	struct work_struct free_work;
	/* Reserve for a task that leaves when there is no memory; xchg(). */
	struct kview_follow *spare;
	bool hashed;			/* hooks find it */
	bool claimed;			/* somebody is freeing it */
	bool stays;			/* see kview_leave_unmarked() */
	struct list_head peers;		/* a ring, of all spaces of @mm; without this: alone */
	struct kview_text *text;	/* that @mm runs */
	struct list_head text_node;	/* in the text */
	/* While it leaves, see show.c: one of those that stay, NULL: none; and what they run then. */
	struct kview_space *stays_in;
	struct kview_text *next_text;
};

/*
 * Lets an address space run in an attachment's view; when this returns, all of its threads do.
 * @joins says whether it is counted as one that came later.  The caller holds the attachment and a user
 * of @mm, but neither kview_lock nor a lock of the memory, which this waits for as long as others
 * hold it.  Nothing is changed if it fails.  -EBUSY: it is in this view already; -EUSERS: it is in KVIEW_VIEWS_MAX others; -ENODEV:
 * the attachment or its view is closed; -EINTR: a signal that kills came meanwhile; -EADDRNOTAVAIL:
 * as kview_joint_get(); -ENOMEM.
 */
int kview_space_create(struct kview_attachment *att, struct mm_struct *mm, bool joins);

/*
 * Returns whether the attachment has no process, and none that is about to join.  The caller holds the
 * attachment's file, or kview_lock.
 */
bool kview_attachment_ended(const struct kview_attachment *att);

/* Drops a reference; the last one frees the attachment.  Called under kview_lock. */
void kview_attachment_put(struct kview_attachment *att);

/*
 * Removing address spaces from views takes three steps: claim, leave, free.  Whoever claims one
 * must also do the other two.
 *
 * Adds to @list, by @todo, those of the attachment that nobody has claimed; without @all only those
 * that are not to stay.  Under kview_lock.
 */
void kview_spaces_claim(struct kview_attachment *att, bool all, struct list_head *list);

/*
 * From its beginning on their hooks lead nowhere; when it returns they do not run in these views
 * any more.  @list is not empty; of an address space that has processes it has one of the spaces
 * alone.  Under the same kview_lock, after kview_flip_prepare() without it.
 */
void kview_spaces_leave(struct list_head *list);

/* Frees the address spaces in the list.  Called without kview_lock; waits for one grace period of RCU. */
void kview_spaces_free(struct list_head *list);

/* How many there are in all views, one for each view.  No lock: the figure may be out of date. */
u32 kview_space_count(void);

/* Called when the module is loaded, before there are hooks.  After -ENOMEM there is nothing to undo. */
int kview_spaces_init(void);
/* Called when the module is unloaded and no view has an address space: waits until the last is freed. */
void kview_spaces_exit(void);

#endif
