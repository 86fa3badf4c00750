/* SPDX-License-Identifier: GPL-2.0 */
/* Whole cgroups in views. */
#ifndef KVIEW_MODULE_CGROUP_H
#define KVIEW_MODULE_CGROUP_H

#include <linux/types.h>

struct cgroup;
struct kview_attachment;
struct kview_view;
struct task_struct;

int kview_cgroup_attach(struct kview_view *v, struct cgroup *cgrp, struct kview_attachment **out);
void kview_cgroup_detach(struct kview_attachment *att);
bool kview_cgroup_has(const struct kview_attachment *att, struct task_struct *task);
void kview_cgroup_resync(void);
void kview_cgroup_exit(void);

#endif
