/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a view. */
#ifndef KVIEW_MODULE_CLOSE_H
#define KVIEW_MODULE_CLOSE_H

struct kview_view;

/*
 * The view's file is closed, or was never made: all of its processes leave, its own hooks go, and
 * with them the file's reference.  Sets and attachments that still have files keep the view until
 * theirs are closed.  No lock held; waits for RCU.
 */
void kview_view_close(struct kview_view *v);

#endif
