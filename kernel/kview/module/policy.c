// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a view at fork and execve.
 *
 * The module learns of both through sites of its own in the view, so that no other
 * process pays for it.  It cannot attach there and then; it queues work that the
 * task runs on its way to user mode: a child joins before its first instruction.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "kview.h"
#include "attach.h"
#include "cgroup.h"
#include "lock.h"
#include "memory.h"
#include "place.h"
#include "policy.h"
#include "set.h"
#include "space.h"
#include "symbols.h"
#include "syscall.h"
#include "view.h"

struct kview_follow {
	struct callback_head work;
	struct kview_attachment *att;
	struct mm_struct *left;		/* an execve that failed early is still there */
	bool join;			/* or leave for good */
	bool resync;			/* others go on using the memory it leaves */
};

static void kview_follow_run(struct callback_head *work)
{
	struct kview_follow *f = container_of(work, struct kview_follow, work);
	struct kview_attachment *att = f->att;
	int ret = 0;

	if (current->mm && current->mm != f->left) {
		bool join = f->join && (!att->cgrp || kview_cgroup_has(att, current));

		ret = join ? kview_join(att, current->mm) : -ENODEV;
		if (ret)
			kview_syscalls_forget();
	}
	/* moved meanwhile; or it shared its memory with a process outside, until now */
	if (f->resync || (!ret && att->cgrp && !kview_cgroup_has(att, current)))
		kview_cgroup_resync();
	/* closed meanwhile, or attached by somebody else: as intended */
	if (ret && ret != -ENODEV && ret != -EBUSY)
		atomic_inc(&att->join_failed);
	mutex_lock(&kview_lock);
	kview_attachment_put(att);
	mutex_unlock(&kview_lock);
	kfree(f);
	module_put(THIS_MODULE);	/* unloading waits for RCU tasks after this */
}

/* The caller holds @att; it may be the hook. */
static void kview_follow_later(struct kview_attachment *att, struct mm_struct *left,
			       struct task_struct *task, bool join, bool resync)
{
	struct kview_follow *f = kview_should_fail() ? NULL : kmalloc(sizeof(*f), GFP_ATOMIC);

	if (!f) {
		if (join)
			atomic_inc(&att->join_failed);
		return;
	}
	f->att = att;
	f->left = left;
	f->join = join;
	f->resync = resync;
	init_task_work(&f->work, kview_follow_run);
	refcount_inc(&att->refs);
	__module_get(THIS_MODULE);
	if (task_work_add(task, &f->work, TWA_RESUME)) {
		/* the task is on its way out */
		refcount_dec(&att->refs);
		module_put(THIS_MODULE);
		kfree(f);
	}
}

/* In the hook: preemption off, and the space holds its attachment. */
static void kview_follow(struct kview_space *space, struct task_struct *task, bool join)
{
	bool resync = task == current && space->att->cgrp && atomic_read(&space->mm->mm_users) > 1;

	kview_follow_later(space->att, space->mm, task, join, resync);
}

/*
 * @mm has entered the view when an execve that leaves it was past the hook already.
 * Who has left it by now has other memory, which the caller looks for.
 */
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm)
{
	struct task_struct *process, *thread;

	rcu_read_lock();
	for_each_process_thread(process, thread)
		if (READ_ONCE(thread->mm) == mm && thread->in_execve)
			kview_follow_later(att, mm, thread, true, false);
	rcu_read_unlock();
}

/* wake_up_new_task(child), called by the parent */
static void kview_on_fork(struct kview_space *space, struct task_struct *child)
{
	if (!child->mm || child->mm == space->mm)
		return;
	/* it has copied its parent's flag */
	if (space->att->flags & KVIEW_ATTACH_FORK || space->view->nsyscalls)
		kview_follow(space, child, space->att->flags & KVIEW_ATTACH_FORK);
}

/* begin_new_exec(bprm) */
static void kview_on_exec(struct kview_space *space)
{
	bool keep = space->att->flags & KVIEW_ATTACH_EXEC;

	/* until execve is over its system call is still one of the view's */
	if (keep || space->view->nsyscalls)
		kview_follow(space, current, keep);
}

/* do_exit(): a process that shared its memory with one outside the cgroup, until now */
static void kview_on_exit(struct kview_space *space)
{
	if (space->att->cgrp && get_nr_threads(current) == 1 &&
	    atomic_read(&space->mm->mm_users) > 1)
		kview_follow(space, current, false);
}

static void kview_on_policy(struct kview_space *space, struct pt_regs *regs)
{
	if (regs->ip == kview_entry_ip(kview_sym.wake_up_new_task))
		kview_on_fork(space, (struct task_struct *)regs->di);
	else if (regs->ip == kview_entry_ip(kview_sym.begin_new_exec))
		kview_on_exec(space);
	else
		kview_on_exit(space);
}

/* When the module is loaded: can the three be hooked in this kernel? */
int kview_policy_check(void)
{
	if (!kview_entry_ip(kview_sym.wake_up_new_task) ||
	    !kview_entry_ip(kview_sym.begin_new_exec) ||
	    !kview_entry_ip(kview_sym.do_exit) || kview_pretend_missing("hooks")) {
		pr_err("wake_up_new_task, begin_new_exec or do_exit has no place for a hook\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Adds the sites to a view, once.  Under kview_lock. */
int kview_policy_enable(struct kview_view *v)
{
	struct kview_place place[] = {
		{ .ip = kview_entry_ip(kview_sym.wake_up_new_task) },
		{ .ip = kview_entry_ip(kview_sym.begin_new_exec) },
		{ .ip = kview_entry_ip(kview_sym.do_exit) },
	};
	struct kview_set *set;
	u32 bad;

	if (v->policy)
		return 0;
	/* another tracer may be writing there this very moment */
	if (!place[0].ip || !place[1].ip || !place[2].ip)
		return -EADDRNOTAVAIL;
	set = kview_set_create(v, KVIEW_KIND_ENTRY, 0, 0, place, ARRAY_SIZE(place),
			       kview_on_policy, &bad);
	if (IS_ERR(set))
		return PTR_ERR(set);
	v->policy = set;
	return 0;
}

/* Takes them out again, after an error, when nobody else wants them.  Under kview_lock. */
void kview_policy_release(struct kview_view *v)
{
	struct kview_attachment *att;

	if (!v->policy || v->nsyscalls)
		return;
	list_for_each_entry(att, &v->attachments, node)
		if (att->flags)
			return;
	kview_set_destroy(v->policy);
	v->policy = NULL;
}
