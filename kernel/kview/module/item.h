/* SPDX-License-Identifier: GPL-2.0 */
/* What is loaded: all views, sets and attachments, and each by its file. */
#ifndef KVIEW_MODULE_ITEM_H
#define KVIEW_MODULE_ITEM_H

#include <linux/compiler.h>
#include <linux/types.h>

struct kview_item;
struct kview_view;
struct mm_struct;
struct seq_file;

/*
 * @type: KVIEW_ITEM_*, of the object that the file stands for, and that the file holds.  All of
 * these take kview_lock, and may sleep.
 */

/*
 * What can be asked of any file, KVIEW_ITEM and KVIEW_NAME.  -ENOTTY: it is another request; errors
 * are in uapi/kview.h.
 */
long kview_item_ioctl(u32 type, void *object, unsigned int cmd, void __user *user);
/* Writes the file's fdinfo. */
void kview_item_show(u32 type, void *object, struct seq_file *m);

/*
 * Fills in the attachment by which an address space is in @v now, or, with NULL, in some view;
 * leaves @item as it is if it is in none.  @mm is only compared.  One that has no file yet has no id.
 */
void kview_item_of_mm(struct mm_struct *mm, const struct kview_view *v, struct kview_item *item);

/* KVIEW_LIST: everything of everybody, with the capability that it takes. */
long kview_items_list(unsigned int cmd, void __user *user);

#endif
