// SPDX-License-Identifier: GPL-2.0
/*
 * What a hook may still be reading, or a CPU may still be running or walking, is freed
 * one grace period of RCU later: a hook runs with preemption off; a CPU that is just
 * leaving an address space has interrupts off, is told of no flush any more, and still has
 * the old tables.
 *
 * Nobody waits for it with kview_lock held, and many things wait for one grace period.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include "compat.h"
#include "lock.h"
#include "retire.h"

static void kview_retire_work(struct work_struct *work);
static DECLARE_WORK(kview_retire_task, kview_retire_work);
static LIST_HEAD(kview_retired);	/* under kview_lock */

/* Under kview_lock, and so will @free be called. */
void kview_retire(struct kview_retired *r, void (*free)(struct kview_retired *r))
{
	r->free = free;
	list_add_tail(&r->node, &kview_retired);
	queue_work(system_dfl_wq, &kview_retire_task);
}

static void kview_retire_work(struct work_struct *work)
{
	struct kview_retired *r, *next;
	LIST_HEAD(list);

	mutex_lock(&kview_lock);
	list_splice_init(&kview_retired, &list);
	mutex_unlock(&kview_lock);
	if (list_empty(&list))
		return;
	synchronize_rcu();
	mutex_lock(&kview_lock);
	list_for_each_entry_safe(r, next, &list, node) {
		list_del(&r->node);	/* it may go to another list: a view's leftovers */
		r->free(r);
	}
	mutex_unlock(&kview_lock);
}

/* Only what is freed here can still retire something. */
void kview_retire_exit(void)
{
	do {
		queue_work(system_dfl_wq, &kview_retire_task);
		flush_work(&kview_retire_task);
	} while (!list_empty(&kview_retired));
}
