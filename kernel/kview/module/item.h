/* SPDX-License-Identifier: GPL-2.0 */
/* What is loaded: all views, sets and attachments, and each by its file. */
#ifndef KVIEW_MODULE_ITEM_H
#define KVIEW_MODULE_ITEM_H

#include <linux/compiler.h>
#include <linux/types.h>

struct kview_item;
struct mm_struct;
struct seq_file;

/* @type: KVIEW_ITEM_*, of the object that the file stands for. */
long kview_item_ioctl(u32 type, void *object, unsigned int cmd, void __user *user);
void kview_item_show(u32 type, void *object, struct seq_file *m);

void kview_item_of_mm(struct mm_struct *mm, struct kview_item *item);
long kview_items_list(unsigned int cmd, void __user *user);

#endif
