// SPDX-License-Identifier: GPL-2.0
/*
 * Spots: the places in kernel text where some view has a hook.
 *
 * A spot and its thunk are shared by all views, so that views with the same hooks
 * have the same bytes and share their copies of text.  A spot that nobody wants
 * any more stays in limbo until no task can be in its thunk, preempted there.
 */
#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <asm/text-patching.h>

#include "kview.h"
#include "lock.h"
#include "memory.h"
#include "pgtable.h"
#include "spot.h"
#include "symbols.h"
#include "thunk.h"

static DEFINE_HASHTABLE(kview_spots, 14);
static struct kview_spot *kview_spot_ids[KVIEW_SITES_MAX];
static LIST_HEAD(kview_limbo);
static u32 kview_nspots;
/* The entry of the function that lends, or 0. */
static unsigned long kview_lender_ip;

static void kview_limbo_work(struct work_struct *work);
static DECLARE_WORK(kview_limbo_task, kview_limbo_work);

static u64 kview_spot_insn(unsigned long ip)
{
	return READ_ONCE(*(const u64 *)kview_base_text(ip));
}

/*
 * Somebody wrote to base text.  Who changes an instruction makes it a breakpoint
 * first and ends with its first byte; until then the old one counts, so that its
 * owner loses no call.  Interrupts off.
 */
void kview_spots_rewritten(unsigned long va, size_t len)
{
	struct kview_spot *spot;

	for (; len--; va++)
		hash_for_each_possible_rcu_notrace(kview_spots, spot, node, va)
			if (spot->ip == va && !spot->filter &&
			    *kview_base_text(va) != INT3_INSN_OPCODE)
				WRITE_ONCE(spot->insn, kview_spot_insn(va));
}

/* Is it one of those in borrow.c? */
static bool kview_spot_lends(unsigned long ip, const struct tracepoint *tp)
{
	return ip == kview_lender_ip || (!kview_sym.enter_lazy_tlb && tp == kview_sym.sched_switch);
}

/* Under kview_lock. */
struct kview_spot *kview_spot_get(unsigned long ip, struct tracepoint *tp, bool filter)
{
	struct kview_spot *spot;
	int ret;

	hash_for_each_possible(kview_spots, spot, node, ip)
		if (spot->ip == ip && spot->filter == filter) {
			if (!spot->refs++) {
				list_del_init(&spot->limbo);
				kview_nspots++;
			}
			return spot;
		}
	spot = kview_zalloc(sizeof(*spot));
	if (!spot)
		return ERR_PTR(-ENOMEM);
	ret = kview_thunk_get(&spot->id);
	if (ret) {
		kfree(spot);
		return ERR_PTR(ret);
	}
	spot->ip = ip;
	spot->tp = tp;
	spot->filter = filter;
	spot->lends = !filter && kview_spot_lends(ip, tp);
	spot->refs = 1;
	INIT_LIST_HEAD(&spot->limbo);
	/* no write to the base may fall between reading it and being told of writes */
	mutex_lock(kview_sym.text_mutex);
	spot->insn = filter ? 0 : kview_spot_insn(ip);
	hash_add_rcu(kview_spots, &spot->node, ip);
	mutex_unlock(kview_sym.text_mutex);
	/* complete before kview_spot_by_id() can find it */
	smp_store_release(&kview_spot_ids[spot->id], spot);
	kview_nspots++;
	return spot;
}

/* Under kview_lock, after the flush that took the hook from the last view. */
void kview_spot_put(struct kview_spot *spot)
{
	if (--spot->refs)
		return;
	kview_nspots--;
	list_add_tail(&spot->limbo, &kview_limbo);
	schedule_work(&kview_limbo_task);
}

static void kview_limbo_work(struct work_struct *work)
{
	struct kview_spot *spot, *next;
	LIST_HEAD(dead);

	mutex_lock(&kview_lock);
	list_splice_init(&kview_limbo, &dead);
	list_for_each_entry(spot, &dead, limbo)
		hash_del_rcu(&spot->node);
	mutex_unlock(&kview_lock);
	if (list_empty(&dead))
		return;

	kview_thunks_wait();
	synchronize_rcu();		/* who looks in the hash */

	mutex_lock(&kview_lock);
	list_for_each_entry_safe(spot, next, &dead, limbo) {
		WRITE_ONCE(kview_spot_ids[spot->id], NULL);
		kview_thunk_put(spot->id);
		kfree(spot);
	}
	mutex_unlock(&kview_lock);
}

/* In the hook; its view may have just lost the spot. */
struct kview_spot *kview_spot_by_id(u32 id)
{
	/* pairs with kview_spot_get() */
	return smp_load_acquire(&kview_spot_ids[id]);
}

/* In the hook: which of the filters calls from there? */
struct kview_spot *kview_spot_of_filter(unsigned long ip)
{
	struct kview_spot *spot;

	hash_for_each_possible_rcu(kview_spots, spot, node, ip, true)
		if (spot->ip == ip && spot->filter)
			return spot;
	return NULL;
}

/* In the hook, at a spot that lends: whoever runs next without memory leaves this view's tables. */
void kview_spot_lend(struct pt_regs *regs)
{
	struct task_struct *next;

	if (kview_sym.enter_lazy_tlb) {
		kview_base_tables_load();
		return;
	}
	/* sched_switch(preempt, prev, next), after data: who has an mm borrows none */
	next = regs->ip - kview_sym.update_current_mm <= ENDBR_INSN_SIZE ? current :
	       (struct task_struct *)regs->cx;
	if (!next->mm)
		kview_base_tables_load();
}

u32 kview_spot_count(void)
{
	return READ_ONCE(kview_nspots);
}

void kview_spots_init(void)
{
	unsigned long function = kview_sym.enter_lazy_tlb ?: kview_sym.update_current_mm;

	kview_lender_ip = function ? kview_sym.ftrace_location(function) : 0;
}

void kview_spots_exit(void)
{
	/* views are gone: what is left is in limbo */
	schedule_work(&kview_limbo_task);
	flush_work(&kview_limbo_task);
}
