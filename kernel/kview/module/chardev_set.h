/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The requests on a view's fd that add sites and switch them.  In an ioctl on that fd, by whose
 * file the view is held; no lock held.  Errors are in uapi/kview.h.  @cmd: the request's number,
 * with the size of the caller's structure.
 */
#ifndef KVIEW_CHARDEV_SET_H
#define KVIEW_CHARDEV_SET_H

struct kview_view;

/* 0, or a negative errno: then all sets are as they were. */
long kview_view_switch(struct kview_view *v, unsigned int cmd, const void __user *user);
/*
 * The new set's fd, which has it from then on; or a negative errno: then there is no set.  Writes
 * the request back in either case.
 */
long kview_view_set_create(struct kview_view *v, unsigned int cmd, void __user *user);

#endif
