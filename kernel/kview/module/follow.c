// SPDX-License-Identifier: GPL-2.0
/*
 * What becomes of a view at fork and execve: called by the sites of policy.c.
 *
 * It cannot attach there and then; it queues work that the task runs on its way to user
 * mode: a child joins before its first instruction.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/task_work.h>

#include "kview.h"
#include "attach.h"
#include "follow.h"
#include "lock.h"
#include "memory.h"
#include "policy.h"
#include "space.h"
#include "syscall.h"
#include "view.h"

/* Frees it, or leaves it to its address space, which may be gone by now. */
static void kview_follow_free(struct kview_follow *f, struct kview_space *space)
{
	if (!f->spare || !space || cmpxchg(&space->spare, NULL, f))
		kfree(f);
}

/* Under kview_lock. */
static struct kview_space *kview_follow_space(const struct kview_follow *f)
{
	struct kview_space *s;

	list_for_each_entry(s, &f->att->spaces, node)
		if (f->spare && s->mm == f->left)
			return s;
	return NULL;
}

static void kview_follow_run(struct callback_head *work)
{
	struct kview_follow *f = container_of(work, struct kview_follow, work);
	struct kview_attachment *att = f->att;
	int ret = 0;

	if (current->mm && current->mm != f->left) {
		bool join = f->join && (!att->members || att->members->has(att, current));

		ret = join ? kview_join(att, current->mm) : -ENODEV;
		if (ret)
			kview_syscalls_forget();
	}
	/* moved meanwhile; or it shared its memory with a process outside, until now */
	if (att->members && (f->resync || (!ret && !att->members->has(att, current))))
		att->members->changed();
	/* closed meanwhile, or attached by somebody else: as intended */
	if (ret && ret != -ENODEV && ret != -EBUSY)
		atomic_inc(&att->join_failed);
	mutex_lock(&kview_lock);
	kview_follow_free(f, kview_follow_space(f));
	kview_attachment_put(att);
	mutex_unlock(&kview_lock);
	module_put(THIS_MODULE);	/* unloading waits for RCU tasks after this */
}

/*
 * Who should join and can't is counted.  Who leaves, or may leave others behind, is in no counter:
 * for him the address space he leaves has memory at hand, for one at a time.
 */
static struct kview_follow *kview_follow_new(struct kview_attachment *att,
					     struct kview_space *space, bool join, bool resync)
{
	struct kview_follow *f = kview_should_fail() ? NULL : kmalloc(sizeof(*f), GFP_ATOMIC);
	bool leaves = !f && (!join || resync), spare = leaves && space;

	if (spare)
		f = xchg(&space->spare, NULL);
	if (f)
		f->spare = spare;
	if (!f && join)
		atomic_inc(&att->join_failed);
	if (!f && leaves)
		pr_warn_ratelimited("no memory to let a process leave a view: its system calls may be slow, or others stay in\n");
	return f;
}

/* The caller holds @att; it may be the hook.  @space: which @task leaves; NULL: it has just come in. */
static void kview_follow_later(struct kview_attachment *att, struct mm_struct *left,
			       struct kview_space *space, struct task_struct *task, bool join,
			       bool resync)
{
	struct kview_follow *f = kview_follow_new(att, space, join, resync);

	if (!f)
		return;
	f->att = att;
	f->left = left;
	f->join = join;
	f->resync = resync;
	init_task_work(&f->work, kview_follow_run);
	refcount_inc(&att->refs);
	__module_get(THIS_MODULE);
	if (task_work_add(task, &f->work, TWA_RESUME)) {
		/*
		 * The task is on its way out.  A joint text that was kept for it goes when somebody
		 * puts an attachment, this one at the latest.
		 */
		refcount_dec(&att->refs);
		module_put(THIS_MODULE);
		kview_follow_free(f, space);
	}
}

/* In the hook: preemption off, and the space holds its attachment. */
static void kview_follow(struct kview_space *space, struct task_struct *task, bool join)
{
	bool resync = task == current && space->att->members &&
		      atomic_read(&space->mm->mm_users) > 1;

	kview_follow_later(space->att, space->mm, space, task, join, resync);
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

/*
 * Does a task stay in the view after its execve?  Without FORK only the process itself does: another
 * one that shares its memory, by vfork or posix_spawn, is its child, and leaves as one of fork is out.
 */
static bool kview_stays(const struct kview_attachment *att, struct task_struct *task)
{
	return att->flags & KVIEW_ATTACH_EXEC &&
	       (att->flags & KVIEW_ATTACH_FORK || task_tgid(task) == att->target);
}

/* Is anything to be done when a task's execve is over?  Until then its system call is still one of the view's. */
static bool kview_follows_exec(const struct kview_attachment *att, bool stays)
{
	return stays || READ_ONCE(att->view->nsyscalls);
}

/*
 * @mm has entered the view, but a thread that shares it may be in an execve and past the hook already:
 * one of a cgroup's process, or a child by vfork.  It follows later, or is rid of what it had as one
 * of the view's.  One that is through has other memory by now, which the caller looks for.
 */
void kview_follow_execs(struct kview_attachment *att, struct mm_struct *mm)
{
	struct task_struct *process, *thread;
	bool stays;

	rcu_read_lock();
	for_each_process_thread(process, thread) {
		if (READ_ONCE(thread->mm) != mm || !thread->in_execve)
			continue;
		stays = kview_stays(att, thread);
		if (kview_follows_exec(att, stays))
			kview_follow_later(att, mm, NULL, thread, stays, false);
	}
	rcu_read_unlock();
}

/* begin_new_exec(bprm) */
static void kview_on_exec(struct kview_space *space)
{
	bool stays = kview_stays(space->att, current);

	if (kview_follows_exec(space->att, stays))
		kview_follow(space, current, stays);
}

/* do_exit(): a process that shared its memory with one outside the cgroup, until now */
static void kview_on_exit(struct kview_space *space)
{
	if (space->att->members && get_nr_threads(current) == 1 &&
	    atomic_read(&space->mm->mm_users) > 1)
		kview_follow(space, current, false);
}

/* Called at the three places that policy.c hooks. */
void kview_follow_hook(struct kview_space *space, struct pt_regs *regs)
{
	const struct kview_policy_places *at = kview_policy_places();

	if (regs->ip == at->fork)
		kview_on_fork(space, (struct task_struct *)regs->di);
	else if (regs->ip == at->exec)
		kview_on_exec(space);
	else
		kview_on_exit(space);
}
