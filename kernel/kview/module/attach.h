/* SPDX-License-Identifier: GPL-2.0 */
/* Address spaces in views. */
#ifndef KVIEW_MODULE_ATTACH_H
#define KVIEW_MODULE_ATTACH_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/refcount.h>
#include <linux/types.h>

struct cgroup;
struct kview_flow;
struct kview_site;
struct kview_view;

struct kview_attachment {
	struct list_head node;		/* in the view */
	struct kview_view *view;
	refcount_t refs;		/* the file, spaces, pending joins */
	u32 flags;
	bool closed;
	struct list_head spaces;
	u32 nspaces;
	u32 joined;
	u32 left;
	u32 elsewhere;			/* of the cgroup, but in another view */
	atomic_t join_failed;
	u64 attach_ns;
	struct cgroup *cgrp;		/* a whole cgroup, or NULL */
	struct list_head cgroup_node;
	struct kview_flow *flow;	/* a queue's thread, or NULL */
};

struct kview_space {
	struct mm_struct *mm;
	struct kview_site __rcu ***dir;	/* the view's */
	struct kview_view *view;
	struct kview_space __rcu *next;	/* in its hash bucket */
	struct kview_attachment *att;
	struct list_head node;		/* in the attachment */
	struct list_head todo;
	struct mmu_notifier mn;
	bool hashed;
	bool claimed;			/* somebody is freeing it */
	bool stays;			/* see kview_leave_unmarked() */
};

#define KVIEW_SPACE_BITS	10
/* 32 bits of an address tell address spaces apart, and are cheaper to hash. */
static inline u32 kview_space_bucket(const struct mm_struct *mm)
{
	return hash_32((u32)(unsigned long)mm, KVIEW_SPACE_BITS);
}

extern struct kview_space __rcu *kview_spaces[1 << KVIEW_SPACE_BITS];
extern struct kview_space kview_nobody;	/* ends every bucket */

struct kview_attachment *kview_attachment_new(struct kview_view *v, u32 flags);
struct kview_attachment *kview_attachment_of(struct mm_struct *mm);
void kview_attachment_mark(struct kview_attachment *att, struct mm_struct *mm);
void kview_leave_unmarked(struct kview_attachment *att);
int kview_attach(struct kview_view *v, struct mm_struct *mm, u32 flags,
		 struct kview_attachment **out);
int kview_join(struct kview_attachment *att, struct mm_struct *mm);
void kview_detach(struct kview_attachment *att);
void kview_attach_undo(struct kview_attachment *att);
void kview_detach_all(struct kview_view *v);
void kview_attachment_put(struct kview_attachment *att);
int kview_attach_init(void);
void kview_attach_exit(void);
u32 kview_space_count(void);
extern u64 kview_detach_ns;

#endif
