// SPDX-License-Identifier: GPL-2.0
/*
 * Attachments: who lets which address spaces (space.c) run in a view, and for how
 * long.  An attachment's file holds it, and so does each of its address spaces.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "attach.h"
#include "borrow.h"
#include "compat.h"
#include "edit.h"
#include "lock.h"
#include "memory.h"
#include "policy.h"
#include "space.h"
#include "syscall.h"
#include "tracepoint.h"
#include "view.h"

u64 kview_detach_ns;

/* Does the view's text change for the module's own sites?  Then others wait for nothing of it. */
static void kview_attachment_prepare(struct kview_view *v, u32 flags)
{
	bool edits;

	mutex_lock(&kview_lock);
	edits = !v->borrow || (flags && !v->policy);
	mutex_unlock(&kview_lock);
	if (edits)
		kview_view_prepare(v);
}

/**
 * kview_attachment_new() - an attachment without processes
 * @v:		the view
 * @flags:	KVIEW_ATTACH_*
 *
 * Its own reference is its file's; kview_detach() drops it.
 */
struct kview_attachment *kview_attachment_new(struct kview_view *v, u32 flags)
{
	struct kview_attachment *att = kview_zalloc(sizeof(*att));
	int ret;

	if (!att)
		return ERR_PTR(-ENOMEM);
	att->view = v;
	att->flags = flags;
	att->any_user = capable(CAP_SYS_PTRACE);
	refcount_set(&att->refs, 1);
	INIT_LIST_HEAD(&att->spaces);
	INIT_LIST_HEAD(&att->cgroup_node);
	init_waitqueue_head(&att->emptied);

	kview_attachment_prepare(v, flags);
	mutex_lock(&kview_lock);
	ret = v->closed ? -ENODEV : kview_borrow_enable(v);
	if (!ret && flags)
		ret = kview_policy_enable(v);
	if (!ret) {
		list_add_tail(&att->node, &v->attachments);
		kview_view_get(v);
	}
	if (ret && !v->closed)
		kview_borrow_release(v);
	mutex_unlock(&kview_lock);
	if (!ret)
		return att;
	kfree(att);
	/* EBUSY is for who is in the view already */
	return ERR_PTR(ret == -EBUSY ? -EADDRNOTAVAIL : ret);
}

int kview_attach(struct kview_view *v, struct mm_struct *mm, struct pid *target, u32 flags,
		 struct kview_attachment **out)
{
	u64 start = ktime_get_ns();
	struct kview_attachment *att = kview_attachment_new(v, flags);
	int ret;

	if (IS_ERR(att))
		return PTR_ERR(att);
	/* hooks ask for it as soon as somebody is in */
	att->target = get_pid(target);
	ret = kview_space_create(att, mm, false);
	if (ret) {
		kview_attach_undo(att);
		return ret;
	}
	att->attach_ns = ktime_get_ns() - start;
	*out = att;
	return 0;
}

/*
 * A child, or the same process after execve, follows into the view.  Not into a program
 * with rights of its own, as a setuid one: there perf stops, too.
 */
int kview_join(struct kview_attachment *att, struct mm_struct *mm)
{
	if (!att->any_user && !kview_dumpable(mm))
		return -EACCES;
	return kview_space_create(att, mm, true);
}

/* Called under kview_lock, which it drops. */
void kview_leave_unmarked(struct kview_attachment *att)
{
	struct kview_space *s;
	LIST_HEAD(list);

	kview_spaces_claim(att, false, &list);
	list_for_each_entry(s, &list, todo)
		att->left++;
	if (!list_empty(&list))
		kview_spaces_leave(&list);
	mutex_unlock(&kview_lock);
	if (!list_empty(&list))
		kview_spaces_free(&list);
}

/* The attachment's file is closed. */
void kview_detach(struct kview_attachment *att)
{
	struct kview_view *v = att->view;
	u64 start = ktime_get_ns();
	LIST_HEAD(list);

	if (att->members)
		att->members->stop(att);
	kview_flip_prepare();
	mutex_lock(&kview_lock);
	att->closed = true;
	list_del(&att->node);
	kview_spaces_claim(att, true, &list);
	if (!list_empty(&list))
		kview_spaces_leave(&list);
	mutex_unlock(&kview_lock);
	if (!list_empty(&list)) {
		kview_spaces_free(&list);
		kview_detach_ns = ktime_get_ns() - start;
	}
	mutex_lock(&kview_lock);
	kview_attachment_put(att);
	kview_view_put(v);
	mutex_unlock(&kview_lock);
}

/* An attachment that could not be completed leaves no trace in its view. */
void kview_attach_undo(struct kview_attachment *att)
{
	struct kview_view *v = att->view;	/* the caller's fd holds it */

	kview_detach(att);
	kview_flip_prepare();
	mutex_lock(&kview_lock);
	if (!v->closed) {
		kview_policy_release(v);
		kview_borrow_release(v);
	}
	mutex_unlock(&kview_lock);
}

/* The view is closed: nobody joins any more.  Under kview_lock. */
void kview_leave_all(struct kview_view *v, struct list_head *left)
{
	struct kview_attachment *att;

	list_for_each_entry(att, &v->attachments, node)
		kview_spaces_claim(att, true, left);
	if (!list_empty(left))
		kview_spaces_leave(left);
}
