/* SPDX-License-Identifier: GPL-2.0 */
/* Attachments: which address spaces run in a view, and for how long. */
#ifndef KVIEW_MODULE_ATTACH_H
#define KVIEW_MODULE_ATTACH_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "identity.h"

struct cgroup;
struct kview_attachment;
struct kview_flow;
struct kview_view;
struct mm_struct;
struct task_struct;

/* Who decides which processes belong to an attachment, if that changes: cgroup.c. */
struct kview_members {
	bool (*has)(const struct kview_attachment *att, struct task_struct *task);
	/* somebody is where he does not belong, or may be */
	void (*changed)(void);
	/* nobody is to be added any more */
	void (*stop)(struct kview_attachment *att);
};

struct kview_attachment {
	struct list_head node;		/* in the view */
	struct kview_identity who;
	struct kview_view *view;
	refcount_t refs;		/* the file, spaces, pending joins */
	u32 flags;
	bool closed;
	bool any_user;			/* who made it may trace whom it follows, whoever that is */
	struct list_head spaces;
	u32 nspaces;
	u32 joined;
	u32 left;
	u32 elsewhere;			/* of the cgroup, but in another view */
	atomic_t join_failed;
	u64 attach_ns;
	const struct kview_members *members;	/* NULL: its own processes, and whom they create */
	struct cgroup *cgrp;		/* a whole cgroup, or NULL */
	struct list_head cgroup_node;
	u64 looked_at;			/* see kview_cgroup_resync() */
	struct kview_flow *flow;	/* a queue's thread, or NULL */
	struct pid *target;		/* the process or thread, or NULL */
	wait_queue_head_t emptied;
};

struct kview_attachment *kview_attachment_new(struct kview_view *v, u32 flags);
void kview_leave_unmarked(struct kview_attachment *att);
int kview_attach(struct kview_view *v, struct mm_struct *mm, u32 flags,
		 struct kview_attachment **out);
int kview_join(struct kview_attachment *att, struct mm_struct *mm);
void kview_detach(struct kview_attachment *att);
void kview_attach_undo(struct kview_attachment *att);
void kview_detach_all(struct kview_view *v);
extern u64 kview_detach_ns;

#endif
