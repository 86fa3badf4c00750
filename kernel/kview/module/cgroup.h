/* SPDX-License-Identifier: GPL-2.0 */
/* Whole cgroups in views. */
#ifndef KVIEW_MODULE_CGROUP_H
#define KVIEW_MODULE_CGROUP_H

struct cgroup;
struct kview_attachment;
struct kview_view;

int kview_cgroup_attach(struct kview_view *v, struct cgroup *cgrp, struct kview_attachment **out);
void kview_cgroup_exit(void);

#endif
