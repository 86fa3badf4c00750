// SPDX-License-Identifier: GPL-2.0
/*
 * A whole cgroup in a view: its processes and those of its descendants, now and
 * later.  A process belongs where its main thread is.
 *
 *	forks in it, calls execve	the view's own hooks, as for one process (follow.c)
 *	moved into it, moved out	the one who moves it passes cgroup_attach_permissions(),
 *	created in it from outside	so does the parent (CLONE_INTO_CGROUP)
 *
 * That function is hooked in the base while a cgroup is attached; nobody else
 * calls it.  What it is about to do is not done yet, so the hook only queues work
 * that runs when its caller returns to user mode: kview_cgroup_resync() compares
 * who is in the cgroup with who is in the view.  By then a move is complete, and
 * whoever asked for it has not yet heard of it.
 *
 * Comparing looks at the present alone, so it matters neither how often nor in
 * which order it is done, only that it follows each change.  A process that joins
 * by itself looks once more when it has joined: either it sees that it was moved
 * meanwhile, or the mover's comparison finds it in the view.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/cgroup.h>
#include <linux/ftrace.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

#include "kview.h"
#include "attach.h"
#include "cgroup.h"
#include "follow.h"
#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "space.h"
#include "symbols.h"
#include "syscall.h"
#include "tracepoint.h"
#include "view.h"

/* Outside of kview_lock: one comparison at a time, and the list. */
static DEFINE_MUTEX(kview_cgroup_mutex);
static LIST_HEAD(kview_cgroups);

static void kview_resync_work(struct work_struct *work);
static DECLARE_WORK(kview_resync_task, kview_resync_work);

/* Is the process in the attachment's cgroup or below? */
static bool kview_cgroup_has(const struct kview_attachment *att, struct task_struct *task)
{
	bool ret;

	rcu_read_lock();
	ret = task_under_cgroup_hierarchy(task->group_leader, att->cgrp);
	rcu_read_unlock();
	return ret;
}

#define KVIEW_BATCH	64U

/*
 * Any thread's memory is its process's; the main thread may have ended before the
 * others.  A pointer that is out of date equals that of no living address space.
 */
static struct task_struct *kview_process_thread(struct task_struct *process)
{
	struct task_struct *thread;

	if (process->flags & PF_KTHREAD)
		return NULL;
	for_each_thread(process, thread)
		if (READ_ONCE(thread->mm))
			return thread;
	return NULL;
}

/*
 * Fills @mm with some address spaces, whose processes are in the cgroup, not in the view, and
 * older than @until; returns how many.
 */
static u32 kview_cgroup_missing(struct kview_attachment *att, u64 until, struct mm_struct **mm)
{
	struct task_struct *process, *thread;
	u32 n = 0, elsewhere = 0;

	rcu_read_lock();
	for_each_process(process) {
		struct kview_attachment *where;

		thread = kview_cgroup_has(att, process) ? kview_process_thread(process) : NULL;
		if (!thread)
			continue;
		where = kview_attachment_in(READ_ONCE(thread->mm), att->view);
		elsewhere += where && where != att;
		if (where || n == KVIEW_BATCH || process->start_time >= until)
			continue;
		mm[n] = get_task_mm(thread);
		n += !!mm[n];
	}
	rcu_read_unlock();
	WRITE_ONCE(att->elsewhere, elsewhere);
	return n;
}

/* Lets them join, and returns how many did. */
static u32 kview_cgroup_add(struct kview_attachment *att, struct mm_struct **mm, u32 n, int *error)
{
	u32 i, joined = 0;

	for (i = 0; i < n; i++) {
		int ret;

		kview_test_hold(KVIEW_HOLD_JOINING);
		ret = kview_join(att, mm[i]);
		if (!ret)
			kview_follow_execs(att, mm[i]);
		mmput(mm[i]);
		if (!ret)
			joined++;
		/* closed meanwhile, or joined by itself: as intended */
		else if (ret != -ENODEV && ret != -EBUSY)
			*error = ret;
	}
	if (joined)
		kview_syscalls_entered(att);
	return joined;
}

/* Marks those address spaces in the view that a process of the cgroup runs in. */
static void kview_cgroup_mark(struct kview_attachment *att)
{
	struct task_struct *process, *thread;
	struct kview_space *s;

	list_for_each_entry(s, &att->spaces, node)
		s->stays = false;
	rcu_read_lock();
	for_each_process(process) {
		thread = kview_cgroup_has(att, process) ? kview_process_thread(process) : NULL;
		if (thread)
			kview_attachment_mark(att, READ_ONCE(thread->mm));
	}
	rcu_read_unlock();
}

/*
 * Under kview_cgroup_mutex, which it drops while somebody joins: that waits for the locks
 * of others' memory, and who moves a process in the meantime must not wait for them, too.
 * What changes meanwhile the next look finds.
 *
 * First some leave, then some join, until nobody joins.  That last look is what makes
 * forks safe: a child whose parent was not in the view yet when it woke the child
 * is older than the moment when all who had been found were in, so the next look
 * finds it.  Younger ones have parents in the view and join by themselves.
 */
static int kview_cgroup_sync(struct kview_attachment *att, u32 *joined)
{
	struct mm_struct **mm = kview_calloc(KVIEW_BATCH, sizeof(*mm));
	u64 until = ktime_get_ns();
	int error = 0;
	u32 n;

	*joined = 0;
	if (!mm)
		return -ENOMEM;
	do {
		kview_flip_prepare();
		mutex_lock(&kview_lock);
		kview_cgroup_mark(att);
		kview_leave_unmarked(att);	/* drops the lock */
		n = kview_cgroup_missing(att, until, mm);
		mutex_unlock(&kview_cgroup_mutex);
		n = kview_cgroup_add(att, mm, n, &error);
		mutex_lock(&kview_cgroup_mutex);
		until = ktime_get_ns();
		*joined += n;
	} while (n);
	kvfree(mm);
	return error;
}

/* One that was not looked at since @round began.  Under kview_cgroup_mutex. */
static struct kview_attachment *kview_cgroup_next(u64 round)
{
	struct kview_attachment *att;

	list_for_each_entry(att, &kview_cgroups, cgroup_node)
		if (att->looked_at < round)
			return att;
	return NULL;
}

/* After anything that may have changed who is in the cgroups.  May sleep. */
static void kview_cgroup_resync(void)
{
	static u64 rounds;
	struct kview_attachment *att;
	u64 round;
	u32 joined;

	mutex_lock(&kview_cgroup_mutex);
	round = ++rounds;
	while ((att = kview_cgroup_next(round))) {
		/* it may be closed meanwhile */
		refcount_inc(&att->refs);
		att->looked_at = round;
		if (kview_cgroup_sync(att, &joined))
			atomic_inc(&att->join_failed);
		mutex_lock(&kview_lock);
		kview_attachment_put(att);
		mutex_unlock(&kview_lock);
	}
	mutex_unlock(&kview_cgroup_mutex);
}

/* Whoever was about to move a process holds this until it is moved. */
static struct mutex *kview_moves_mutex;

static void kview_resync_work(struct work_struct *work)
{
	mutex_lock(kview_moves_mutex);
	mutex_unlock(kview_moves_mutex);
	kview_cgroup_resync();
}

static void kview_moved(struct callback_head *work)
{
	kview_cgroup_resync();
	kfree(work);
	module_put(THIS_MODULE);	/* unloading waits for RCU tasks after this */
}

static bool kview_cgroup_concerned(struct cgroup *from, struct cgroup *to)
{
	struct kview_attachment *att;
	bool ret = false;

	rcu_read_lock();
	list_for_each_entry_rcu(att, &kview_cgroups, cgroup_node)
		ret |= cgroup_is_descendant(from, att->cgrp) || cgroup_is_descendant(to, att->cgrp);
	rcu_read_unlock();
	return ret;
}

/* cgroup_attach_permissions(from, to, ...): somebody moves a process, or forks into @to. */
static void notrace kview_moving(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct callback_head *work;

	if (!kview_cgroup_concerned((struct cgroup *)regs->di, (struct cgroup *)regs->si))
		return;
	work = kview_should_fail() ? NULL : kmalloc(sizeof(*work), GFP_ATOMIC);
	if (work) {
		init_task_work(work, kview_moved);
		__module_get(THIS_MODULE);
		if (!task_work_add(current, work, TWA_RESUME))
			return;
		module_put(THIS_MODULE);
		kfree(work);
	}
	/* it can't be done then, so somewhat later */
	schedule_work(&kview_resync_task);
}

/* A new one each time: ftrace leaves a used one unfit for another start. */
static struct ftrace_ops *kview_moving_ops;

/*
 * Makes one that can become kview_moving_ops.  Without the mutex: whoever removes another hook
 * holds ftrace's lock until RCU tasks have passed.
 */
static int kview_cgroup_watch(struct ftrace_ops **out)
{
	unsigned long addr = kview_sym.kallsyms_lookup_name("cgroup_attach_permissions");
	unsigned long ip = addr ? kview_sym.ftrace_location(addr) : 0;
	struct ftrace_ops *ops;
	int ret;

	kview_moves_mutex = (struct mutex *)kview_sym.kallsyms_lookup_name("cgroup_mutex");
	if (!ip || !kview_moves_mutex) {
		pr_err("this kernel has no cgroup_attach_permissions that can be hooked, or no cgroup_mutex\n");
		return -EOPNOTSUPP;
	}
	ops = kview_zalloc(sizeof(*ops));
	if (!ops)
		return -ENOMEM;
	ops->func = kview_moving;
	ops->flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT;
	ret = kview_should_fail() ? -ENOMEM : ftrace_set_filter_ip(ops, ip, 0, 0);
	if (!ret)
		ret = register_ftrace_function(ops);
	if (ret) {
		ftrace_free_filter(ops);
		kfree(ops);
		return ret;
	}
	*out = ops;
	return 0;
}

/* Without the mutex: waits for RCU tasks, until nobody is in the hook any more. */
static void kview_cgroup_unwatch(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
	kfree(ops);
}

/* The attachment's file is being closed, before its processes leave. */
static void kview_cgroup_stop(struct kview_attachment *att)
{
	struct ftrace_ops *unused = NULL;

	mutex_lock(&kview_cgroup_mutex);
	if (!list_empty(&att->cgroup_node)) {
		list_del_rcu(&att->cgroup_node);
		/* who attaches a cgroup meanwhile makes a hook of his own */
		if (list_empty(&kview_cgroups))
			swap(unused, kview_moving_ops);
	}
	mutex_unlock(&kview_cgroup_mutex);
	if (unused)
		kview_cgroup_unwatch(unused);
	/* until no hook looks at it any more */
	synchronize_rcu();
}

static const struct kview_members kview_cgroup_members = {
	.has = kview_cgroup_has,
	.changed = kview_cgroup_resync,
	.stop = kview_cgroup_stop,
};

/**
 * kview_cgroup_attach() - let the processes of a cgroup run in a view
 * @v:		the view
 * @cgrp:	the cgroup; takes over the caller's reference, on error too
 * @out:	the attachment, for kview_detach()
 */
int kview_cgroup_attach(struct kview_view *v, struct cgroup *cgrp, struct kview_attachment **out)
{
	struct ftrace_ops *ops = NULL;
	struct kview_attachment *att;
	u64 start = ktime_get_ns();
	u32 first = 0;
	int ret = 0;

	att = kview_attachment_new(v, KVIEW_ATTACH_FORK | KVIEW_ATTACH_EXEC);
	if (IS_ERR(att)) {
		cgroup_put(cgrp);
		return PTR_ERR(att);
	}
	att->cgrp = cgrp;
	att->members = &kview_cgroup_members;
	mutex_lock(&kview_cgroup_mutex);
	if (!kview_moving_ops) {
		mutex_unlock(&kview_cgroup_mutex);
		ret = kview_cgroup_watch(&ops);
		mutex_lock(&kview_cgroup_mutex);
	}
	if (!ret) {
		if (!kview_moving_ops)
			swap(ops, kview_moving_ops);
		list_add_rcu(&att->cgroup_node, &kview_cgroups);
		ret = kview_cgroup_sync(att, &first);
	}
	mutex_unlock(&kview_cgroup_mutex);
	if (ops)		/* somebody else's is there already */
		kview_cgroup_unwatch(ops);
	if (ret) {
		kview_attach_undo(att);
		return ret;
	}
	mutex_lock(&kview_lock);
	att->joined -= first;
	mutex_unlock(&kview_lock);
	att->attach_ns = ktime_get_ns() - start;
	*out = att;
	return 0;
}

void kview_cgroup_exit(void)
{
	cancel_work_sync(&kview_resync_task);
}
