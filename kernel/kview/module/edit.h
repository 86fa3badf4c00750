/* SPDX-License-Identifier: GPL-2.0 */
/* A set's part of text: in its view, and wherever that is one of several. */
#ifndef KVIEW_MODULE_EDIT_H
#define KVIEW_MODULE_EDIT_H

#include <linux/types.h>

struct kview_set;
struct kview_view;

/*
 * Before a set is added to a view, without kview_lock: what changing its text must wait for is
 * waited for here, as far as it can be foreseen, see kview_flip_prepare().
 */
void kview_view_prepare(struct kview_view *v);

/*
 * Adds a set's overrides to the view's text and to the joint ones that it is in, or takes them out:
 * when it returns every CPU runs the new text.  Who runs it has, at every step, all sites that it
 * had and is to keep.  Under kview_lock; takes cpu_hotplug_lock, tracepoints_mutex and text_mutex;
 * sleeps, see kview_flip_begin().  -ENOMEM; -EBUSY, of adding: as kview_region_build().  Then
 * nothing is changed.
 */
int kview_view_edit(struct kview_view *v, struct kview_set *set, bool add);

#endif
