/* SPDX-License-Identifier: GPL-2.0 */
/* A view: page tables, text, sites. */
#ifndef KVIEW_MODULE_VIEW_H
#define KVIEW_MODULE_VIEW_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>

#include "identity.h"
#include "kview.h"
#include "text.h"

struct kview_region;
struct kview_set;
struct kview_site;

/* How many views an address space can be in. */
#define KVIEW_VIEWS_MAX	16

/* A view's way from a thunk's number to its sites: two levels. */
#define KVIEW_LEAF_SHIFT	9
#define KVIEW_LEAF		(1U << KVIEW_LEAF_SHIFT)
#define KVIEW_DIR		(KVIEW_SITES_MAX / KVIEW_LEAF)

/*
 * Its file, its clients' sets, attachments and address spaces hold it.  Under kview_lock, but
 * for @switching and for what hooks read: @dir.
 */
struct kview_view {
	refcount_t refs;
	/* Its file is closed: no process and no set can be added any more. */
	bool closed;
	/* And a grace period is over since the last process left: nobody is in one of its hooks. */
	bool deserted;
	struct kview_identity who;
	struct list_head node;		/* in kview_views */
	struct list_head sets;		/* the module's own, too */
	struct list_head attachments;	/* whose files are open */
	/* Retired, except that some overrides could not be taken out. */
	struct list_head leftovers;
	u32 nspaces;			/* address spaces that are members of it */
	u32 nsyscalls;			/* sets with sys_enter or sys_exit */
	u32 nfilters;			/* sets with hooks in the base */
	struct mutex switching;		/* outside of kview_lock: see switch.c */
	struct kview_set *policy;	/* see policy.c; NULL: not needed yet */
	struct kview_set *borrow;	/* see borrow.c; NULL: nobody was attached yet */
	struct kview_text text;		/* of who is in no other view, too */
	u64 create_ns, destroy_ns;	/* how long the last set took to add, and to close */
	struct kview_site __rcu **dir[KVIEW_DIR];
};

/* An empty view; kview_view_close() drops the caller's reference.  -ENOMEM.  No lock held. */
struct kview_view *kview_view_create(void);

/* The rest under kview_lock. */

void kview_view_get(struct kview_view *v);
/* With the last reference the view goes; by then a grace period is over since its last process. */
void kview_view_put(struct kview_view *v);	/* under kview_lock */

/* Pages of the directory. */
unsigned int kview_view_leaves(const struct kview_view *v);

/*
 * Makes room for the set's sites in the directory, which stays until the view goes.  Sleeps.
 * -ENOMEM: there may be some.
 */
int kview_view_room(struct kview_view *v, const struct kview_set *set);

/*
 * The first lets hooks find the set's sites, for which there must be room; the second ends that.
 * A hook that has found a site has finished with it a grace period of RCU later.  The second does
 * nothing if the set is not linked.
 */
void kview_view_link(struct kview_view *v, struct kview_set *set);
void kview_view_unlink(struct kview_view *v, struct kview_set *set);

/* kview_site_simplify() at all places of a set that is linked. */
void kview_view_simplify(struct kview_view *v, struct kview_set *set);

/* The set's places are, or are no more, those of one that is switched off: no loss is counted. */
void kview_view_off(struct kview_set *set, bool off);

/* All that are not freed yet, closed ones too; by @node, under kview_lock. */
extern struct list_head kview_views;

#endif
