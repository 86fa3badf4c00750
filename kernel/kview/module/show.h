/* SPDX-License-Identifier: GPL-2.0 */
/* Which tables an address space runs on. */
#ifndef KVIEW_MODULE_SHOW_H
#define KVIEW_MODULE_SHOW_H

struct kview_space;
struct kview_view;
struct list_head;

/*
 * All under kview_lock, with interrupts on.  The first two take tracepoints_mutex and text_mutex
 * (kview_flip_begin()); not so for current's own address space if nobody shares it.
 */

/*
 * Switches an address space that is in the hash to its view's tables.  When this returns, every
 * CPU that runs the address space runs the view's text.
 */
void kview_space_show(struct kview_space *s);

/*
 * Puts address spaces back on the base's, a list of them by @todo that leave their views; after
 * kview_flip_prepare().  When it returns no CPU runs private text in them.
 */
void kview_spaces_hide(const struct list_head *list);

/* Flushes all address spaces in a view, wherever they run, after its tables have changed. */
void kview_spaces_flush(const struct kview_view *v);

#endif
