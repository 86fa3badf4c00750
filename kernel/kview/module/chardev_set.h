/* SPDX-License-Identifier: GPL-2.0 */
/* The request on a view's fd that adds sites; returns an fd or an error. */
#ifndef KVIEW_CHARDEV_SET_H
#define KVIEW_CHARDEV_SET_H

struct kview_view;

long kview_view_switch(struct kview_view *v, unsigned int cmd, const void __user *user);
long kview_view_set_create(struct kview_view *v, unsigned int cmd, void __user *user);

#endif
