/* SPDX-License-Identifier: GPL-2.0 */
/* Whole cgroups in views. */
#ifndef KVIEW_MODULE_CGROUP_H
#define KVIEW_MODULE_CGROUP_H

struct cgroup;
struct kview_attachment;
struct kview_view;

/*
 * Lets a cgroup's processes, and those of its descendants, run in a view; when it returns all of
 * them do that are in no other view.  Takes over the caller's reference on the cgroup, on error
 * too.  The caller may trace anybody and holds the view's file, and no lock; may sleep for long.
 * @out: for kview_detach().  -EOPNOTSUPP: the log says what this kernel lacks; -EINTR: a signal
 * that kills; -ENOMEM; errors of kview_attachment_new() and of ftrace.  Then nobody is in the view
 * by it, and @out is as it was.
 */
int kview_cgroup_attach(struct kview_view *v, struct cgroup *cgrp, struct kview_attachment **out);
/* At unloading, when no attachment is left: waits for the work that one may have left behind. */
void kview_cgroup_exit(void);

#endif
