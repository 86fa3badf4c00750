// SPDX-License-Identifier: GPL-2.0
/*
 * System calls reach the tracepoints sys_enter and sys_exit only in threads that
 * have a flag set, which sends them the slow way through entry and exit.  The
 * tracepoint code sets it in every thread when the first probe comes and clears it
 * when the last one goes; a view needs it in the threads of its processes alone.
 *
 * New threads and children copy it, under tasklist_lock.
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

/* Somebody else wants the flag in every thread. */
static bool kview_syscalls_traced(void)
{
	return rcu_access_pointer(kview_sym.sys_enter->funcs) ||
	       rcu_access_pointer(kview_sym.sys_exit->funcs);
}

static void kview_syscalls_flag(struct mm_struct *mm, bool on)
{
	struct task_struct *process, *thread;

	if (!atomic_read(&mm->mm_users))	/* nobody left to run in it */
		return;
	read_lock(kview_sym.tasklist_lock);
	for_each_process_thread(process, thread) {
		if (READ_ONCE(thread->mm) != mm)
			continue;
		if (on)
			set_task_syscall_work(thread, SYSCALL_TRACEPOINT);
		else if (!kview_syscalls_traced())
			clear_task_syscall_work(thread, SYSCALL_TRACEPOINT);
	}
	read_unlock(kview_sym.tasklist_lock);
}

static void kview_syscalls_flag_all(struct kview_view *v, bool on)
{
	struct kview_attachment *att;
	struct kview_space *s;

	list_for_each_entry(att, &v->attachments, node)
		list_for_each_entry(s, &att->spaces, node)
			kview_syscalls_flag(s->mm, on);
}

/* A set with one of the two tracepoints comes.  Under kview_lock. */
void kview_syscalls_get(struct kview_view *v)
{
	if (!v->nsyscalls++)
		kview_syscalls_flag_all(v, true);
}

/* ... goes, after its hooks went. */
void kview_syscalls_put(struct kview_view *v)
{
	if (!--v->nsyscalls)
		kview_syscalls_flag_all(v, false);
}

/* An address space enters or leaves the view.  Under kview_lock. */
void kview_syscalls_enter(struct kview_space *s)
{
	if (s->view->nsyscalls)
		kview_syscalls_flag(s->mm, true);
}

void kview_syscalls_leave(struct kview_space *s)
{
	if (s->view->nsyscalls)
		kview_syscalls_flag(s->mm, false);
}

/* A task that copied or kept the flag is not in the view. */
void kview_syscalls_forget(struct task_struct *task)
{
	if (!kview_syscalls_traced())
		clear_task_syscall_work(task, SYSCALL_TRACEPOINT);
}

static void kview_syscalls_refresh(struct work_struct *work)
{
	struct kview_view *v;

	mutex_lock(&kview_lock);
	list_for_each_entry(v, &kview_views, node)
		if (v->nsyscalls)
			kview_syscalls_flag_all(v, true);
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
