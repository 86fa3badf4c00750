/* SPDX-License-Identifier: GPL-2.0 */
/* The end of a view. */
#ifndef KVIEW_MODULE_CLOSE_H
#define KVIEW_MODULE_CLOSE_H

struct kview_view;

/*
 * To be called when the view's file is closed, or could not be made.  All processes leave the
 * view, its own hooks are removed, and the file's reference is dropped.  Sets and attachments
 * that still have files keep the view until theirs are closed.  No lock held; waits for RCU.
 */
void kview_view_close(struct kview_view *v);

#endif
