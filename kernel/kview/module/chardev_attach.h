/* SPDX-License-Identifier: GPL-2.0 */
/* The requests on a view's fd that attach; each returns an fd or an error. */
#ifndef KVIEW_CHARDEV_ATTACH_H
#define KVIEW_CHARDEV_ATTACH_H

struct kview_view;

long kview_view_attach(struct kview_view *v, unsigned int cmd, void __user *user);
long kview_view_attach_cgroup(struct kview_view *v, unsigned int cmd, const void __user *user);
long kview_view_attach_flow(struct kview_view *v, unsigned int cmd, void __user *user);

#endif
