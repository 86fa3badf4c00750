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
#include "pgtable.h"

struct kview_region;
struct kview_set;
struct kview_site;

/* A view's way from a thunk's number to its sites: two levels. */
#define KVIEW_LEAF_SHIFT	9
#define KVIEW_LEAF		(1U << KVIEW_LEAF_SHIFT)
#define KVIEW_DIR		(KVIEW_SITES_MAX / KVIEW_LEAF)

struct kview_view {
	refcount_t refs;
	bool closed;
	bool checked;			/* its tables have been, since they changed: show.c */
	struct kview_identity who;
	struct list_head node;
	struct list_head sets;
	struct list_head attachments;
	struct list_head leftovers;	/* retired, but for overrides that could not be taken out */
	u32 nspaces;
	u32 nsyscalls;			/* sets with sys_enter or sys_exit */
	u32 nfilters;			/* sets with hooks in the base */
	struct mutex switching;		/* outside of kview_lock: see switch.c */
	struct kview_set *policy;
	struct kview_set *borrow;	/* see borrow.c */
	struct kview_tables tables;
	struct kview_tables plain;	/* the same sizes, the base's memory: see pgtable.c */
	struct kview_region *region[KVIEW_REGIONS];
	u64 create_ns, destroy_ns;
	struct kview_site __rcu **dir[KVIEW_DIR];
};

struct kview_view *kview_view_create(void);
void kview_view_get(struct kview_view *v);
void kview_view_put(struct kview_view *v);	/* under kview_lock */
unsigned int kview_view_leaves(const struct kview_view *v);
int kview_view_edit(struct kview_view *v, struct kview_set *set, bool add);
int kview_view_room(struct kview_view *v, const struct kview_set *set);
void kview_view_link(struct kview_view *v, struct kview_set *set);
void kview_view_unlink(struct kview_view *v, struct kview_set *set);
void kview_view_simplify(struct kview_view *v, struct kview_set *set);
void kview_view_off(struct kview_set *set, bool off);

extern struct list_head kview_views;

#endif
