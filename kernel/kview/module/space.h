/* SPDX-License-Identifier: GPL-2.0 */
/* Address spaces in views. */
#ifndef KVIEW_MODULE_SPACE_H
#define KVIEW_MODULE_SPACE_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mmu_notifier.h>
#include <linux/types.h>

struct kview_attachment;
struct kview_site;
struct kview_view;

struct kview_space {
	struct mm_struct *mm;
	struct kview_site __rcu ***dir;	/* the view's */
	struct kview_view *view;
	struct kview_space __rcu *next;	/* in its hash bucket */
	struct kview_attachment *att;
	struct list_head node;		/* in the attachment */
	struct list_head todo;
	struct mmu_notifier mn;
	struct rcu_head rcu;
	bool taken;			/* else just made, for whoever asked */
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

int kview_space_create(struct kview_attachment *att, struct mm_struct *mm, bool joins);
struct kview_attachment *kview_attachment_of(struct mm_struct *mm);
void kview_attachment_mark(struct kview_attachment *att, struct mm_struct *mm);
void kview_spaces_claim(struct kview_attachment *att, bool all, struct list_head *list);
void kview_spaces_leave(struct list_head *list);
void kview_spaces_free(struct list_head *list);
u32 kview_space_count(void);
int kview_spaces_init(void);
void kview_spaces_exit(void);

#endif
