/* SPDX-License-Identifier: GPL-2.0 */
/* The requests on a view's fd that attach; each returns an fd or an error. */
#ifndef KVIEW_CHARDEV_ATTACH_H
#define KVIEW_CHARDEV_ATTACH_H

struct kview_attach;
struct kview_attach_cgroup;
struct kview_view;

long kview_view_attach(struct kview_view *v, struct kview_attach __user *user);
long kview_view_attach_cgroup(struct kview_view *v,
			      const struct kview_attach_cgroup __user *user);
long kview_view_attach_flow(struct kview_view *v, void __user *user);

#endif
