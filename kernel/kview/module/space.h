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
struct kview_view;

struct kview_space {
	struct mm_struct *mm;
	struct kview_site __rcu ***dir;	/* the view's */
	struct kview_view *view;
	struct kview_space __rcu *next;	/* in its hash bucket */
	struct kview_attachment *att;
	struct list_head node;		/* in the attachment */
	struct list_head todo;
	struct mmu_interval_notifier mn;
	struct work_struct free_work;
	bool hashed;
	bool claimed;			/* somebody is freeing it */
	bool stays;			/* see kview_leave_unmarked() */
};

int kview_space_create(struct kview_attachment *att, struct mm_struct *mm, bool joins);
bool kview_attachment_ended(const struct kview_attachment *att);
void kview_attachment_put(struct kview_attachment *att);
void kview_spaces_claim(struct kview_attachment *att, bool all, struct list_head *list);
void kview_spaces_leave(struct list_head *list);
void kview_spaces_free(struct list_head *list);
u32 kview_space_count(void);
int kview_spaces_init(void);
void kview_spaces_exit(void);

#endif
