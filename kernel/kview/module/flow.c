// SPDX-License-Identifier: GPL-2.0
/*
 * Per-flow views: the kernel thread that polls one receive queue (threaded NAPI) runs
 * in a view, and with it every packet of the flows that the NIC steers there.
 *
 * A kernel thread has no address space.  It gets an empty one, which is attached as
 * a process's is:
 *
 *	attach:	an mm --> into the view --> thread->mm
 *	detach:	thread->mm = NULL --> out of the view --> mmput()
 *
 * From then on the scheduler loads the view when it switches to the thread; other
 * threads and processes run no hook.  The hook needs no case of its
 * own: a poll runs with softirqs disabled, not in a softirq, and finds the thread's
 * mm; a softirq that comes upon the thread is rejected.
 *
 * thread->mm is changed under stop_machine(): every CPU then runs its stopper
 * thread, so the thread is switched out, and nobody is in the middle of looking at it
 * with a lock held.  The thread owns one mm_users: when it ends, do_exit() drops it,
 * and the mmu notifier takes the mm out of its view as if a process had ended.
 *
 * Nobody runs the view after the thread has been switched out: see borrow.c.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/nsproxy.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <net/net_namespace.h>

#include "kview.h"
#include "attach.h"
#include "flow.h"
#include "lock.h"
#include "memory.h"
#include "place.h"
#include "set.h"
#include "symbols.h"
#include "view.h"

struct kview_flow {
	struct list_head node;
	struct kview_view *view;	/* held by the attachment */
	struct task_struct *thread;
	struct mm_struct *mm;
	bool owns_user;			/* else the thread does, or did */
};

/* stop_machine() waits for CPU hotplug: never under kview_lock. */
static DEFINE_MUTEX(kview_flow_mutex);
static LIST_HEAD(kview_flows);

static int kview_flow_enter(void *data)
{
	struct kview_flow *f = data;
	struct task_struct *thread = f->thread;

	if (thread->flags & PF_EXITING)
		return -ESRCH;
	/* what a kernel thread borrows it gives back when it is switched out */
	if (thread->mm || WARN_ON_ONCE(thread->active_mm))
		return -EBUSY;
	thread->mm = f->mm;
	thread->active_mm = f->mm;
	f->owns_user = false;
	return 0;
}

static int kview_flow_leave(void *data)
{
	struct kview_flow *f = data;
	struct task_struct *thread = f->thread;

	/* a thread that ends drops it itself */
	if (thread->mm != f->mm || thread->flags & PF_EXITING)
		return 0;
	thread->mm = NULL;
	thread->active_mm = NULL;
	f->owns_user = true;
	return 0;
}

/* Under kview_flow_mutex. */
static void kview_flow_stop(struct kview_flow *f)
{
	if (!f->owns_user)
		stop_machine(kview_flow_leave, f, NULL);
	list_del_init(&f->node);
}

static void kview_flow_free(struct kview_flow *f)
{
	if (f->mm && f->owns_user)
		mmput(f->mm);
	if (f->mm)
		mmdrop(f->mm);
	if (f->thread)
		put_task_struct(f->thread);
	kfree(f);
}

/* The view is closed; the attachments' files may not be yet. */
void kview_flows_stop(struct kview_view *v)
{
	struct kview_flow *f, *next;

	mutex_lock(&kview_flow_mutex);
	list_for_each_entry_safe(f, next, &kview_flows, node)
		if (f->view == v)
			kview_flow_stop(f);
	mutex_unlock(&kview_flow_mutex);
}

static struct napi_struct *kview_napi_by_id(struct net *net, u32 id)
{
	struct napi_struct *napi;
	struct net_device *dev;

	for_each_netdev_rcu(net, dev)
		list_for_each_entry_rcu(napi, &dev->napi_list, dev_list)
			if (napi->napi_id == id)
				return napi;
	return NULL;
}

/*
 * Drivers create the NAPI instances of their queues in order, each gets the next
 * id, and those that only send get none.
 */
static struct napi_struct *kview_napi_by_queue(struct net *net, int ifindex, u32 queue)
{
	struct net_device *dev = dev_get_by_index_rcu(net, ifindex);
	struct napi_struct *napi, *next = NULL;
	u32 last = 0;

	do {
		last = next ? next->napi_id : 0;
		next = NULL;
		if (!dev)
			break;
		list_for_each_entry_rcu(napi, &dev->napi_list, dev_list)
			if (napi->napi_id > last && (!next || napi->napi_id < next->napi_id))
				next = napi;
	} while (next && queue--);
	return next;
}

/*
 * A NAPI instance that is found in the list still has its thread when the RCU grace
 * period begins that frees either of them.
 */
static struct task_struct *kview_flow_thread(const struct kview_attach_flow *arg)
{
	struct net *net = current->nsproxy->net_ns;
	struct task_struct *thread = NULL;
	struct napi_struct *napi;

	if (!ns_capable(net->user_ns, CAP_NET_ADMIN))
		return ERR_PTR(-EPERM);
	rcu_read_lock();
	napi = arg->napi_id ? kview_napi_by_id(net, arg->napi_id) :
			      kview_napi_by_queue(net, arg->ifindex, arg->queue);
	if (napi && test_bit(NAPI_STATE_THREADED, &napi->state))
		thread = READ_ONCE(napi->thread);
	if (thread)
		get_task_struct(thread);
	rcu_read_unlock();
	if (!napi)
		return ERR_PTR(-ENXIO);
	return thread ?: ERR_PTR(-EOPNOTSUPP);
}

static struct mm_struct *kview_flow_mm(void)
{
	struct mm_struct *mm = kview_should_fail() ? NULL : kview_sym.mm_alloc();

	if (!mm)
		return NULL;
	mmgrab(mm);
#ifdef CONFIG_MEMCG
	/* it is the caller, which may end before the mm */
	rcu_assign_pointer(mm->owner, NULL);
#endif
	return mm;
}

static void kview_flow_end(struct kview_attachment *att, bool failed)
{
	struct kview_flow *f = att->flow;

	mutex_lock(&kview_flow_mutex);
	kview_flow_stop(f);
	mutex_unlock(&kview_flow_mutex);
	if (failed)
		kview_attach_undo(att);
	else
		kview_detach(att);
	kview_flow_free(f);
}

/* The attachment's file is closed. */
void kview_flow_detach(struct kview_attachment *att)
{
	kview_flow_end(att, false);
}

/* It never had a file. */
void kview_flow_undo(struct kview_attachment *att)
{
	kview_flow_end(att, true);
}

/**
 * kview_flow_attach() - let a queue's thread run in a view
 * @v:		the view
 * @arg:	which queue
 * @out:	an attachment, to be undone by kview_flow_detach()
 * @busy:	out, on EBUSY: what the thread runs on; only to be compared
 */
int kview_flow_attach(struct kview_view *v, const struct kview_attach_flow *arg,
		      struct kview_attachment **out, struct mm_struct **busy)
{
	struct kview_flow *f = kview_zalloc(sizeof(*f));
	struct kview_attachment *att = NULL;
	u64 start = ktime_get_ns();
	int ret;

	if (!f)
		return -ENOMEM;
	f->view = v;
	f->owns_user = true;
	f->thread = kview_flow_thread(arg);
	if (IS_ERR(f->thread)) {
		ret = PTR_ERR(f->thread);
		f->thread = NULL;
		goto fail;
	}
	ret = -ENOMEM;
	f->mm = kview_flow_mm();
	if (!f->mm)
		goto fail;
	ret = kview_attach(v, f->mm, NULL, 0, &att);
	if (ret)
		goto fail;
	mutex_lock(&kview_flow_mutex);
	ret = stop_machine(kview_flow_enter, f, NULL);
	if (!ret)
		list_add_tail(&f->node, &kview_flows);
	mutex_unlock(&kview_flow_mutex);
	if (ret)
		goto detach;
	att->flow = f;
	att->target = get_task_pid(f->thread, PIDTYPE_PID);
	att->attach_ns = ktime_get_ns() - start;
	*out = att;
	return 0;
detach:
	if (ret == -EBUSY)
		*busy = READ_ONCE(f->thread->mm);
	kview_attach_undo(att);
fail:
	kview_flow_free(f);
	return ret;
}
