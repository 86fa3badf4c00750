/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The requests on a view's fd that attach.  Each returns the attachment's fd, which has it from
 * then on, or a negative errno, and then nobody is attached; errors are in uapi/kview.h.  @cmd: the
 * request's number, with the size of the caller's structure.  In an ioctl on the view's fd, by
 * whose file the view is held; no lock held.
 */
#ifndef KVIEW_CHARDEV_ATTACH_H
#define KVIEW_CHARDEV_ATTACH_H

struct kview_view;

long kview_view_attach(struct kview_view *v, unsigned int cmd, void __user *user);
/* Takes CAP_SYS_PTRACE, too. */
long kview_view_attach_cgroup(struct kview_view *v, unsigned int cmd, const void __user *user);
/* Takes CAP_NET_ADMIN over the caller's network namespace, too. */
long kview_view_attach_flow(struct kview_view *v, unsigned int cmd, void __user *user);

#endif
