// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a view at fork and execve.
 *
 * The module learns of both through sites of its own in the view, so that no other
 * process pays for it.  It cannot attach there and then; it queues work that the
 * task runs on its way to user mode: a child joins before its first instruction.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "kview.h"
#include "attach.h"
#include "lock.h"
#include "memory.h"
#include "place.h"
#include "policy.h"
#include "set.h"
#include "symbols.h"
#include "syscall.h"
#include "view.h"

struct kview_follow {
	struct callback_head work;
	struct kview_attachment *att;
	struct mm_struct *left;		/* an execve that failed early is still there */
	bool join;			/* or leave for good */
};

static void kview_follow_run(struct callback_head *work)
{
	struct kview_follow *f = container_of(work, struct kview_follow, work);
	struct kview_attachment *att = f->att;
	int ret = 0;

	if (current->mm && current->mm != f->left) {
		ret = f->join ? kview_join(att, current->mm) : -ENODEV;
		if (ret && ret != -EBUSY)
			kview_syscalls_forget(current);
	}
	/* closed meanwhile, or attached by somebody else: as intended */
	if (ret && ret != -ENODEV && ret != -EBUSY)
		atomic_inc(&att->join_failed);
	mutex_lock(&kview_lock);
	kview_attachment_put(att);
	mutex_unlock(&kview_lock);
	kfree(f);
	module_put(THIS_MODULE);	/* unloading waits for RCU tasks after this */
}

/* In the hook: preemption off. */
static void kview_follow(struct kview_space *space, struct task_struct *task, bool join)
{
	struct kview_follow *f = kview_should_fail() ? NULL : kmalloc(sizeof(*f), GFP_ATOMIC);

	if (!f) {
		atomic_inc(&space->att->join_failed);
		return;
	}
	f->att = space->att;
	f->left = space->mm;
	f->join = join;
	init_task_work(&f->work, kview_follow_run);
	refcount_inc(&f->att->refs);
	__module_get(THIS_MODULE);
	if (task_work_add(task, &f->work, TWA_RESUME)) {
		/* the task is on its way out; space holds another reference */
		refcount_dec(&f->att->refs);
		module_put(THIS_MODULE);
		kfree(f);
	}
}

/* wake_up_new_task(child), called by the parent */
static void kview_on_fork(struct kview_space *space, struct task_struct *child)
{
	if (!child->mm || child->mm == space->mm)
		return;
	if (space->att->flags & KVIEW_ATTACH_FORK)
		kview_follow(space, child, true);
	else if (space->view->nsyscalls)
		kview_syscalls_forget(child);
}

/* begin_new_exec(bprm) */
static void kview_on_exec(struct kview_space *space)
{
	bool keep = space->att->flags & KVIEW_ATTACH_EXEC;

	/* until execve is over its system call is still one of the view's */
	if (keep || space->view->nsyscalls)
		kview_follow(space, current, keep);
}

static void kview_on_policy(struct kview_space *space, struct pt_regs *regs)
{
	if (regs->ip == kview_entry_ip(kview_sym.wake_up_new_task))
		kview_on_fork(space, (struct task_struct *)regs->di);
	else
		kview_on_exec(space);
}

/* Adds the two sites to a view, once.  Under kview_lock. */
int kview_policy_enable(struct kview_view *v)
{
	struct kview_place place[] = {
		{ .ip = kview_entry_ip(kview_sym.wake_up_new_task) },
		{ .ip = kview_entry_ip(kview_sym.begin_new_exec) },
	};
	struct kview_set *set;
	u32 bad;

	if (v->policy)
		return 0;
	if (!place[0].ip || !place[1].ip)
		return -EADDRNOTAVAIL;
	set = kview_set_create(v, KVIEW_KIND_ENTRY, place, ARRAY_SIZE(place), kview_on_policy,
			       &bad);
	if (IS_ERR(set))
		return PTR_ERR(set);
	v->policy = set;
	return 0;
}
