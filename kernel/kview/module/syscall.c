// SPDX-License-Identifier: GPL-2.0
/*
 * System calls reach the tracepoints sys_enter and sys_exit only in threads that
 * have a flag set, which sends them the slow way through entry and exit.  The
 * tracepoint code sets it in every thread when the first probe comes and clears it
 * when the last one goes; a view needs it in the threads of its processes alone.
 *
 * New threads and children copy it, under tasklist_lock; the children of a process
 * that just left may be in no view and have it.
 */
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/thread_info.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "attach.h"
#include "lock.h"
#include "lookup.h"
#include "space.h"
#include "symbols.h"
#include "syscall.h"
#include "view.h"

static void kview_syscalls_refresh(struct work_struct *work);
static DECLARE_WORK(kview_refresh_task, kview_syscalls_refresh);

bool kview_is_syscall(const struct tracepoint *tp)
{
	return tp == kview_sym.sys_enter || tp == kview_sym.sys_exit;
}

static void kview_syscalls_flag(struct mm_struct *mm)
{
	struct task_struct *process, *thread;

	if (!atomic_read(&mm->mm_users))	/* nobody left to run in it */
		return;
	read_lock(kview_sym.tasklist_lock);
	for_each_process_thread(process, thread)
		if (READ_ONCE(thread->mm) == mm)
			set_task_syscall_work(thread, SYSCALL_TRACEPOINT);
	read_unlock(kview_sym.tasklist_lock);
}

static void kview_syscalls_flag_all(struct kview_view *v)
{
	struct kview_attachment *att;
	struct kview_space *s;

	list_for_each_entry(att, &v->attachments, node)
		list_for_each_entry(s, &att->spaces, node)
			kview_syscalls_flag(s->mm);
}

static bool kview_space_has_syscalls(const struct kview_space *s, const void *unused)
{
	return s->view->nsyscalls;
}

/* Under kview_lock, so that what is found is not freed. */
static void kview_syscalls_unflag(struct task_struct *thread)
{
	if (!test_task_syscall_work(thread, SYSCALL_TRACEPOINT))
		return;
	if (!kview_spaces_any(READ_ONCE(thread->mm), kview_space_has_syscalls, NULL))
		clear_task_syscall_work(thread, SYSCALL_TRACEPOINT);
}

/*
 * Takes the flag from one thread, or from all, but for those that a view wants to have it; and
 * from none when another tracer wants it in every thread.  One that is just coming sets the flag
 * before @funcs, both under tracepoints_mutex.
 */
static void kview_syscalls_clear(struct task_struct *one)
{
	struct task_struct *process, *thread;

	lockdep_assert_held(&kview_lock);
	mutex_lock(kview_sym.tracepoints_mutex);
	if (rcu_access_pointer(kview_sym.sys_enter->funcs) ||
	    rcu_access_pointer(kview_sym.sys_exit->funcs))
		goto out;
	if (one) {
		kview_syscalls_unflag(one);
		goto out;
	}
	read_lock(kview_sym.tasklist_lock);
	for_each_process_thread(process, thread)
		kview_syscalls_unflag(thread);
	read_unlock(kview_sym.tasklist_lock);
out:
	mutex_unlock(kview_sym.tracepoints_mutex);
}

/* A set with one of the two tracepoints comes.  Under kview_lock. */
void kview_syscalls_get(struct kview_view *v)
{
	if (!v->nsyscalls++)
		kview_syscalls_flag_all(v);
}

/* ... goes, after its hooks went. */
void kview_syscalls_put(struct kview_view *v)
{
	if (!--v->nsyscalls)
		kview_syscalls_clear(NULL);
}

/* An address space has entered the view.  Under kview_lock. */
void kview_syscalls_enter(struct kview_space *s)
{
	if (s->view->nsyscalls)
		kview_syscalls_flag(s->mm);
}

/*
 * Somebody has let processes into the view.  A child that one of them forked just before the view
 * became active has copied the flag, unseen; a process that joins by itself has forked none.  Once
 * the attachment is closed nothing keeps its view, and all have left; such children are looked for
 * all the same.
 */
void kview_syscalls_entered(const struct kview_attachment *att)
{
	mutex_lock(&kview_lock);
	if (att->closed || att->view->nsyscalls)
		kview_syscalls_clear(NULL);
	mutex_unlock(&kview_lock);
}

/* Address spaces have left their views, for good.  Under kview_lock. */
void kview_syscalls_left(const struct list_head *list)
{
	struct kview_space *s;

	list_for_each_entry(s, list, todo)
		if (s->view->nsyscalls && atomic_read(&s->mm->mm_users)) {
			kview_syscalls_clear(NULL);
			return;
		}
}

/* For current, which has copied or kept the flag, and may be in no view. */
void kview_syscalls_forget(void)
{
	mutex_lock(&kview_lock);
	kview_syscalls_clear(current);
	mutex_unlock(&kview_lock);
}

static void kview_syscalls_refresh(struct work_struct *work)
{
	struct kview_view *v;

	mutex_lock(&kview_lock);
	list_for_each_entry(v, &kview_views, node)
		if (v->nsyscalls)
			kview_syscalls_flag_all(v);
	mutex_unlock(&kview_lock);
}

/*
 * The last probe of somebody else went, and the flag with it, in every thread:
 * the key is switched off next, which is what is seen here.
 */
void kview_syscalls_key_changed(const struct static_key *changed)
{
	const void *key = changed;	/* newer kernels wrap a tracepoint's in a type */

	if (key == &kview_sym.sys_enter->key || key == &kview_sym.sys_exit->key)
		schedule_work(&kview_refresh_task);
}

void kview_syscalls_shutdown(void)
{
	cancel_work_sync(&kview_refresh_task);
}
