// SPDX-License-Identifier: GPL-2.0
/*
 * Address spaces in views, and the end of a process.
 *
 *	enter:	hash, then slot in the PGD, then flush the mm, then the directory
 *	leave:	directory, slot, flush, unhash, wait for RCU, free
 *
 * A thunk leads nowhere as long as the space's directory is the empty one.  So all sites
 * become active, and go, by one store, at one instant for all CPUs that the process runs on.
 * An address space in several views has a space for each (joint.h).  The newest stands first in the
 * hash; its @dir stays empty, so that hooks look at all of them.
 *
 * Nothing of this flushes a CPU where the process does not run.  One where it ran before may be
 * interrupted: the kernel's note of where that was is struck off late.
 *
 * A process that ends only leaves the hash: its page tables stay as they are until
 * a work item takes it apart, because kernel threads may still be borrowing them.
 * The notifier holds mm_count, so the PGD lives that long.
 *
 * Whoever sets "claimed" frees the space: an explicit detach, or the work item.
 *
 * The end of the memory is told by an interval notifier, on an address that no process
 * can have: for a notifier of the other kind the kernel makes every exit wait for a grace
 * period of SRCU.  Taking it out again has to wait while the mm is being unmapped, so each
 * space has a work item for that, and only unloading the module waits for those.
 */
#include <linux/cgroup.h>
#include <linux/err.h>
#include <linux/mmap_lock.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "attach.h"
#include "filter.h"
#include "joint.h"
#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "show.h"
#include "space.h"
#include "symbols.h"
#include "syscall.h"
#include "tracepoint.h"
#include "view.h"
#include "trace.h"

static LIST_HEAD(kview_exited);
static u32 kview_nspaces;
static struct workqueue_struct *kview_wq;

static void kview_exit_work(struct work_struct *work);
static DECLARE_WORK(kview_exit_task, kview_exit_work);

/* The last user of the memory is gone: exit, or execve of the only process. */
static void kview_space_exited(struct kview_space *s)
{
	unsigned long flags;

	spin_lock_irqsave(&kview_spaces_lock, flags);
	kview_space_unhash(s);
	if (!s->claimed) {
		s->claimed = true;
		__module_get(THIS_MODULE);
		list_add_tail(&s->todo, &kview_exited);
		queue_work(kview_wq, &kview_exit_task);
	}
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
}

/* What invalidates all of the memory comes here, too; only the end of it matters. */
static bool kview_mn_invalidate(struct mmu_interval_notifier *mn,
				const struct mmu_notifier_range *range, unsigned long seq)
{
	mmu_interval_set_seq(mn, seq);
	if (range->event == MMU_NOTIFY_RELEASE)
		kview_space_exited(container_of(mn, struct kview_space, mn));
	return true;
}

static const struct mmu_interval_notifier_ops kview_mn_ops = {
	.invalidate = kview_mn_invalidate,
};

/* Nobody finds the space any more. */
static void kview_space_free_work(struct work_struct *work)
{
	struct kview_space *s = container_of(work, struct kview_space, free_work);

	/* nobody is in kview_mn_invalidate() after this; drops mm_count */
	mmu_interval_notifier_remove(&s->mn);
	kfree(s->spare);
	kfree(s);
}

static void kview_space_free(struct kview_space *s)
{
	queue_work(kview_wq, &s->free_work);
}

/*
 * Nobody is in it and nobody is on the way: each address space and each that is about to
 * join holds it.  Into a cgroup somebody may come at any time.
 */
bool kview_attachment_ended(const struct kview_attachment *att)
{
	return refcount_read(&att->refs) == 1 && (!att->cgrp || READ_ONCE(att->view->closed));
}

/* Under kview_lock. */
void kview_attachment_put(struct kview_attachment *att)
{
	bool last = refcount_dec_and_test(&att->refs);

	kview_joints_trim();
	if (!last) {
		/* who dropped the last but its file's holds kview_lock, and so it stays */
		if (!att->closed && kview_attachment_ended(att))
			wake_up_poll(&att->emptied, EPOLLHUP);
		return;
	}
	if (att->cgrp)
		cgroup_put(att->cgrp);
	put_pid(att->target);
	kview_identity_free(&att->who);
	kfree(att);
}

/*
 * By one store either hooks find the sites, or they do not any more: of one that is alone they look
 * at @own only where @dir has nothing.
 */
static void kview_space_lead(struct kview_space *s, struct kview_site __rcu ***dir)
{
	smp_store_release(&s->own, dir);
	if (list_empty(&s->peers))
		smp_store_release(&s->dir, dir);
	else if (dir == kview_no_dir)
		WRITE_ONCE(s->dir, dir);
}

/* Takes a list of claimed spaces out of their views.  Under kview_lock. */
void kview_spaces_leave(struct list_head *list)
{
	struct kview_space *s;
	unsigned long flags;

	list_for_each_entry(s, list, todo)
		kview_space_lead(s, kview_no_dir);
	kview_test_hold(KVIEW_HOLD_INSTANT);
	list_for_each_entry(s, list, todo) {
		kview_filter_leave(s);
		s->stays_in = list_empty(&s->peers) ? NULL : list_next_entry(s, peers);
		list_del_init(&s->peers);
	}
	kview_spaces_hide(list);
	spin_lock_irqsave(&kview_spaces_lock, flags);
	list_for_each_entry(s, list, todo)
		kview_space_unhash(s);
	spin_unlock_irqrestore(&kview_spaces_lock, flags);
	kview_syscalls_left(list);
	list_for_each_entry(s, list, todo) {
		/* who is alone now is found at once */
		if (s->stays_in && list_empty(&s->stays_in->peers))
			WRITE_ONCE(s->stays_in->dir, s->stays_in->own);
		list_del(&s->node);
		s->att->nspaces--;
		s->view->nspaces--;
		kview_nspaces--;
	}
	trace_kview_processes(kview_nspaces);
}

/* Without kview_lock.  One grace period for all of them. */
void kview_spaces_free(struct list_head *list)
{
	struct kview_space *s, *next;

	synchronize_rcu();
	mutex_lock(&kview_lock);
	list_for_each_entry_safe(s, next, list, todo) {
		kview_attachment_put(s->att);
		kview_view_put(s->view);
		kview_space_free(s);
	}
	mutex_unlock(&kview_lock);
}

static void kview_exit_work(struct work_struct *work)
{
	struct kview_space *s;
	LIST_HEAD(list);
	int n = 0;

	spin_lock_irq(&kview_spaces_lock);
	list_splice_init(&kview_exited, &list);
	spin_unlock_irq(&kview_spaces_lock);
	if (list_empty(&list))
		return;
	list_for_each_entry(s, &list, todo)
		n++;
	kview_flip_prepare();
	mutex_lock(&kview_lock);
	kview_spaces_leave(&list);
	mutex_unlock(&kview_lock);
	kview_spaces_free(&list);
	while (n--)
		module_put(THIS_MODULE);
}

/*
 * Tells us of the end of the memory.  The lock of @mm can be held for long, so that waiting for it
 * ends with a signal that kills.
 */
static int kview_space_watch(struct kview_space *s)
{
	struct mm_struct *mm = s->mm;
	int ret;

	if (mmap_write_lock_killable(mm))
		return -EINTR;
	ret = mmu_interval_notifier_insert_locked(&s->mn, mm, kview_sym.text_start, 1,
						  &kview_mn_ops);
	mmap_write_unlock(mm);
	return ret;
}

/*
 * Taking all locks of @mm is given up when there is a signal, a stop or work for the
 * task.  Only a signal that kills shall count: a child must not be lost from the view
 * because it is to be stopped.  Without kview_lock: who holds the locks of @mm must not
 * hold up everybody.
 */
static struct kview_space *kview_space_new(struct mm_struct *mm)
{
	struct kview_space *s = kview_zalloc(sizeof(*s));
	bool signal = false, work = false;
	int ret;

	if (!s)
		return ERR_PTR(-ENOMEM);
	s->spare = kview_zalloc(sizeof(*s->spare));
	if (!s->spare) {
		kfree(s);
		return ERR_PTR(-ENOMEM);
	}
	s->mm = mm;
	s->claimed = true;
	INIT_LIST_HEAD(&s->peers);
	INIT_WORK(&s->free_work, kview_space_free_work);
	do {
		signal |= test_and_clear_thread_flag(TIF_SIGPENDING);
		work |= test_and_clear_thread_flag(TIF_NOTIFY_SIGNAL);
		ret = kview_space_watch(s);
	} while (ret == -EINTR && !fatal_signal_pending(current));
	if (signal)
		set_thread_flag(TIF_SIGPENDING);
	if (work)
		set_thread_flag(TIF_NOTIFY_SIGNAL);
	if (ret) {
		kfree(s->spare);
		kfree(s);
		return ERR_PTR(ret);
	}
	/* the kernel may have put it off: until it is in the tree, the end could be missed */
	if (RB_EMPTY_NODE(&s->mn.interval_tree.rb))
		mmu_interval_read_begin(&s->mn);
	return s;
}

/* Under kview_lock. */
static int kview_space_enter(struct kview_space *s, struct kview_attachment *att)
{
	struct kview_view *v = att->view, *view[KVIEW_VIEWS_MAX];
	struct mm_struct *mm = s->mm;
	struct kview_text *text;
	u32 n;

	/* once the attachment is closed nothing keeps its view */
	if (att->closed || v->closed)
		return -ENODEV;
	if (kview_attachment_in(mm, v))
		return -EBUSY;
	n = kview_views_of(mm, view, ARRAY_SIZE(view));
	if (n == ARRAY_SIZE(view))
		return -EUSERS;
	view[n] = v;
	text = kview_joint_get(view, n + 1);
	if (IS_ERR(text))
		return PTR_ERR(text);
	s->view = v;
	s->dir = s->own = kview_no_dir;
	s->att = att;
	if (n)
		list_add_tail(&s->peers, &kview_space_of(mm)->peers);
	kview_view_get(v);
	refcount_inc(&att->refs);
	list_add_tail(&s->node, &att->spaces);
	att->nspaces++;
	v->nspaces++;
	kview_nspaces++;

	spin_lock_irq(&kview_spaces_lock);
	s->claimed = false;
	kview_space_hash(s);
	spin_unlock_irq(&kview_spaces_lock);

	kview_space_show(s, text);
	kview_syscalls_enter(s);
	kview_filter_enter(s);
	kview_test_hold(KVIEW_HOLD_INSTANT);
	kview_space_lead(s, v->dir);
	trace_kview_processes(kview_nspaces);
	return 0;
}

/* Is a joint text to be made when the address space enters? */
static bool kview_space_needs_text(struct mm_struct *mm, const struct kview_attachment *att)
{
	struct kview_view *view[KVIEW_VIEWS_MAX];
	bool ret;
	u32 n;

	if (!kview_attachment_in(mm, NULL))
		return false;
	mutex_lock(&kview_lock);
	n = kview_views_of(mm, view, ARRAY_SIZE(view) - 1);
	view[n] = att->view;
	ret = !att->closed && !kview_joint_exists(view, n + 1);
	mutex_unlock(&kview_lock);
	return ret;
}

/**
 * kview_space_create() - let an address space run in an attachment's view
 * @att:	the attachment
 * @mm:		the caller holds a user of it
 * @joins:	is it one that comes later?
 */
int kview_space_create(struct kview_attachment *att, struct mm_struct *mm, bool joins)
{
	struct kview_space *s;
	int ret;

	/* only to know it sooner */
	if (kview_attachment_in(mm, att->view))
		return -EBUSY;
	s = kview_space_new(mm);
	if (IS_ERR(s))
		return PTR_ERR(s);
	/* whose text nobody else runs takes no text_mutex: kview_space_show() */
	if (mm != current->mm || atomic_read(&mm->mm_users) > 1 || kview_space_needs_text(mm, att))
		kview_text_prepare();
	mutex_lock(&kview_lock);
	ret = kview_space_enter(s, att);
	if (!ret)
		att->joined += joins;
	mutex_unlock(&kview_lock);
	if (ret)
		kview_space_free(s);
	return ret;
}

/* Claims what no exit has claimed; those leave by the work item. */
void kview_spaces_claim(struct kview_attachment *att, bool all, struct list_head *list)
{
	struct kview_space *s;

	spin_lock_irq(&kview_spaces_lock);
	list_for_each_entry(s, &att->spaces, node) {
		if (s->claimed || (s->stays && !all))
			continue;
		s->claimed = true;
		list_add_tail(&s->todo, list);
	}
	spin_unlock_irq(&kview_spaces_lock);
}

u32 kview_space_count(void)
{
	return READ_ONCE(kview_nspaces);
}

int kview_spaces_init(void)
{
	kview_lookup_init();
	kview_wq = alloc_workqueue("kview", WQ_UNBOUND, 0);
	return kview_wq ? 0 : -ENOMEM;
}

void kview_spaces_exit(void)
{
	destroy_workqueue(kview_wq);	/* when the last is freed */
}
