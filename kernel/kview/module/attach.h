/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attachments: which address spaces run in a view, and for how long.  None of these functions may
 * be called from a hook: all of them can sleep.
 */
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
struct pid;
struct task_struct;

/* Who decides which processes belong to an attachment, if that changes: cgroup.c. */
struct kview_members {
	/* does @task's process belong to @att?  Any context; takes RCU alone */
	bool (*has)(const struct kview_attachment *att, struct task_struct *task);
	/* somebody is where he does not belong, or may be.  No lock held; may sleep */
	void (*changed)(void);
	/* nobody is to be added any more.  No lock held; waits for RCU */
	void (*stop)(struct kview_attachment *att);
};

/*
 * Whoever holds one of @refs may use it.  @view is sound as long as @closed is not set: then
 * nothing of it keeps the view.  Under kview_lock, but for what says otherwise; @flags, @any_user,
 * @members, @cgrp, @flow, @target and @attach_ns stay as they are once there is a file.
 */
struct kview_attachment {
	struct list_head node;		/* in the view, until @closed */
	struct kview_identity who;
	struct kview_view *view;
	refcount_t refs;		/* the file, spaces, pending joins */
	u32 flags;			/* KVIEW_ATTACH_* */
	bool closed;			/* its file is: nobody joins any more */
	bool any_user;			/* who made it may trace whom it follows, whoever that is */
	struct list_head spaces;	/* of struct kview_space, by @node */
	u32 nspaces;
	u32 joined;			/* address spaces that came after attaching, so far */
	u32 left;			/* of a cgroup: that were moved out, so far */
	u32 elsewhere;			/* of the cgroup, another attachment's of the view; kview_cgroup_mutex */
	atomic_t join_failed;		/* any context */
	u64 attach_ns;			/* how long attaching took */
	const struct kview_members *members;	/* NULL: its own processes, and whom they create */
	struct cgroup *cgrp;		/* a whole cgroup, or NULL */
	struct list_head cgroup_node;	/* under kview_cgroup_mutex, read under RCU */
	u64 looked_at;			/* see kview_cgroup_resync(); under its mutex */
	struct kview_flow *flow;	/* a queue's thread, or NULL */
	struct pid *target;		/* the process or thread, held; or NULL */
	wait_queue_head_t emptied;	/* woken when kview_attachment_ended() becomes true */
};

/*
 * An attachment without processes, made by current.  The caller has the reference that its file
 * is to have; kview_detach() or kview_attach_undo() drops it.  It holds the view.  The caller
 * holds the view's file, and no lock.  -ENODEV: the view is closed; -ENOMEM; -EADDRNOTAVAIL,
 * -ENOSPC, -ERANGE: the module's own hooks can't be had.  On error the view is as it was.
 */
struct kview_attachment *kview_attachment_new(struct kview_view *v, u32 flags);

/*
 * Takes those out of the view that kview_attachment_mark() has not marked.  Called under
 * kview_lock, after kview_flip_prepare(), and drops it; then waits for RCU if there was anybody.
 */
void kview_leave_unmarked(struct kview_attachment *att);

/*
 * kview_attachment_new(), with one address space in it, of which the caller holds a user (and, of
 * a process, the cred_guard_mutex).  @target: the process, of which it takes a reference; NULL:
 * none.  On return all of its threads run in the view; then come kview_follow_execs() and
 * kview_syscalls_entered(), unless it is a kernel thread's.  Errors are its
 * and kview_space_create()'s; then nobody is in the view, and @out is as it was.
 */
int kview_attach(struct kview_view *v, struct mm_struct *mm, struct pid *target, u32 flags,
		 struct kview_attachment **out);

/*
 * One more address space joins: @mm is current's or, with @any_user, anybody's.  The caller holds
 * the attachment and a user of @mm, and neither kview_lock nor kview_cgroup_mutex.  -EACCES: its
 * program has rights of its own; else as kview_space_create().  Counts no failure.
 */
int kview_join(struct kview_attachment *att, struct mm_struct *mm);

/*
 * The attachment's file is closed: all of its processes leave, and its file's reference and its
 * hold on the view go.  No lock held; waits for RCU if there was anybody, and with a cgroup always.
 */
void kview_detach(struct kview_attachment *att);

/*
 * The same for one that never had a file; the module's own hooks go, too, if no other attachment
 * wants them.  The caller holds the view's file.
 */
void kview_attach_undo(struct kview_attachment *att);

/*
 * The processes of all attachments leave a view that is closed.  Under kview_lock, after
 * kview_flip_prepare(); @left, empty before, is for kview_spaces_free().
 */
void kview_leave_all(struct kview_view *v, struct list_head *left);

/* How long the last kview_detach() took by which processes left, in ns.  No lock. */
extern u64 kview_detach_ns;

#endif
