// SPDX-License-Identifier: GPL-2.0
/*
 * The hook: what a traced process runs at a site.
 *
 * It must reject whoever runs private text without being traced: a kernel thread
 * that borrows the address space, an interrupt or NMI that came meanwhile, and
 * whatever the tracing itself calls.
 *
 * It runs with preemption off.  That makes it an RCU reader, and per-CPU state
 * is its own, since interrupts are turned away before they touch any.
 */
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/tracepoint.h>

#include "kview.h"
#include "attach.h"
#include "compat.h"
#include "counters.h"
#include "event.h"
#include "handler.h"
#include "lookup.h"
#include "memory.h"
#include "moment.h"
#include "return.h"
#include "run.h"
#include "set.h"
#include "space.h"
#include "spot.h"
#include "symbols.h"
#include "view.h"

#define kview_count(what) __this_cpu_inc(kview_counters.what)

/*
 * Tests of per-CPU memory, in the one instruction that each takes: the length of
 * the hook is what a traced process pays.
 */
static __always_inline bool kview_interrupting(void)
{
	bool ret;

	asm volatile("testl %[mask], " __percpu_arg([count])
		     : "=@ccnz" (ret)
		     : [count] "m" (__my_cpu_var(KVIEW_PREEMPT_COUNT)),
		       [mask] "i" (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET));
	return ret;
}

static __always_inline bool kview_nested(const int __percpu *active)
{
	bool ret;

	asm volatile("cmpl $0, %%gs:(%[active])" : "=@ccnz" (ret) : [active] "r" (active));
	return ret;
}

/* The module's own site; unless the process has been taken out of the view meanwhile. */
static void kview_call_back(const struct kview_site *site, struct pt_regs *regs)
{
	struct kview_space *space = kview_space_in(current->mm, site->set->view);

	if (space)
		site->set->callback(space, regs);
}

static __always_inline void kview_run_site(const struct kview_site *site, struct pt_regs *regs)
{
	if (site->event && !kview_event_occurs(site->event, regs))
		return;
	if (site->set->callback)
		kview_call_back(site, regs);
	if (site->set->kind == KVIEW_KIND_RETURN)
		kview_watch_return(site, regs);
	else
		kview_run_programs(site, regs);
}

/*
 * The long way: any number of sets at this place, and of eBPF programs of any type.
 * Its type is that of an eBPF program's code, in whose place it stands.
 */
unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn)
{
	const struct kview_site *first = (const struct kview_site *)insn, *site;

	for (site = first; site; site = rcu_dereference_raw(site->next)) {
		if (site != first)
			__this_cpu_inc(*site->hits);
		kview_run_site(site, (struct pt_regs *)ctx);
	}
	return 0;
}

/* The same while sets are switched on or off: who is on is asked once for all of them. */
unsigned int kview_run_gated(const void *ctx, const struct bpf_insn *insn)
{
	const struct kview_site *first = (const struct kview_site *)insn, *site;
	u64 now = kview_moment_now();

	kview_test_delay();
	for (site = first; site; site = rcu_dereference_raw(site->next)) {
		bool on = kview_is_on(READ_ONCE(site->set->turn), now);

		/* the first one has been counted already */
		if (on && site != first)
			__this_cpu_inc(*site->hits);
		else if (!on && site == first)
			__this_cpu_dec(*site->hits);
		if (on)
			kview_run_site(site, (struct pt_regs *)ctx);
	}
	return 0;
}

/*
 * Other tracers' hooks at the same place are in the base, not in the private
 * text.  Returns where to go on so that they lose nothing, 0 for the site itself.
 * Turns preemption on again, which kview_handle() has turned off.
 */
static noinline unsigned long kview_chain(const struct kview_spot *spot)
{
	unsigned long target = 0;
	u64 insn;

	if (spot && spot->filter) {
		/* it was the base that called */
	} else if (spot && spot->tp) {
		/* the iterator reads funcs again and ignores the data it is given */
		if (READ_ONCE(spot->tp->funcs))
			target = (unsigned long)spot->tp->iterator;
	} else if (spot) {
		insn = READ_ONCE(spot->insn);
		if ((u8)insn == CALL_INSN_OPCODE)
			target = spot->ip + CALL_INSN_SIZE + (s32)(insn >> 8);
	}
	if (target)
		kview_count(chained);
	preempt_enable_notrace();
	return target;
}

/* What it has there in one of its views; NULL: nothing, or it is on its way in or out. */
static struct kview_site *kview_space_site(const struct kview_space *space, u32 id)
{
	struct kview_site __rcu ***own = READ_ONCE(space->own);

	return rcu_dereference_raw(own[id >> KVIEW_LEAF_SHIFT][id & (KVIEW_LEAF - 1)]);
}

/* All sets that have the place in one of these views, and are on, lose the call. */
static void kview_lose(const struct kview_space *space, u32 id, struct pt_regs *regs,
		       enum kview_loss why)
{
	const struct kview_site *site;
	u64 now = kview_moment_now();

	for (; space; space = kview_space_next(space))
		for (site = kview_space_site(space, id); site;
		     site = rcu_dereference_raw(site->next))
			if (kview_is_on(READ_ONCE(site->set->turn), now) &&
			    (!site->event || kview_event_is(site->event, regs)))
				atomic64_inc(&site->lost[why]);
}

/* Is it in none of these views yet, or no more? */
static bool kview_spaces_idle(const struct kview_space *space)
{
	while (space && READ_ONCE(space->own) == kview_no_dir)
		space = kview_space_next(space);
	return !space;
}

/* Of a process that is in no view, or in another one, it is not known whose text it ran. */
static void kview_count_rejected(u32 id, const struct kview_spot *spot, struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm ?: current->active_mm;
	struct kview_space *space = mm ? kview_space_find(mm) : NULL;

	if (!current->mm) {
		kview_count(kthread);
		kview_lose(space, id, regs, KVIEW_LOST_BORROWED);
	} else if (!in_task()) {
		kview_count(irq);
		kview_lose(space, id, regs, KVIEW_LOST_IRQ);
	} else if (__this_cpu_read(*kview_sym.bpf_prog_active)) {
		kview_count(nested);
		kview_lose(space, id, regs, KVIEW_LOST_NESTED);
	} else if (kview_spaces_idle(space)) {
		kview_count(left);
	} else if (!spot || !READ_ONCE(spot->noff)) {
		/* else it is, as a rule, the call of a set that is switched off */
		kview_count(left);
		kview_count(elsewhere);
	}
}

/* Counts the hit and runs the site's eBPF program; the caller has made bpf_prog_active say so. */
static __always_inline void kview_hit_site(struct kview_site *site, struct pt_regs *regs)
{
	struct bpf_run_ctx *outer;

	__this_cpu_inc(*site->hits);
	outer = bpf_set_run_ctx(&site->ctx.run_ctx);
	/* preemption off is enough for RCU; lockdep wants to hear it */
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_lock();
	READ_ONCE(site->run)(regs, (const struct bpf_insn *)site);
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_unlock();
	bpf_reset_run_ctx(outer);
}

/*
 * A process that is in several views: the sites of all of them, one view after the other, as
 * kview_handle() does with those of one.  False: none of them has one there, or it is not to be run.
 */
static bool kview_run_joint(u32 id, struct pt_regs *regs)
{
	struct kview_space *space = kview_space_find(current->mm);
	struct kview_site *site;
	bool ran = false;

	if (!space || kview_interrupting() || kview_nested(kview_sym.bpf_prog_active))
		return false;
	__this_cpu_inc(*kview_sym.bpf_prog_active);
	for (; space; space = kview_space_next(space)) {
		site = kview_space_site(space, id);
		if (!site)
			continue;
		ran = true;
		kview_hit_site(site, regs);
	}
	__this_cpu_dec(*kview_sym.bpf_prog_active);
	return ran;
}

/* Off the short way: in several views, or in none that has a site there, or not to be traced. */
static noinline unsigned long kview_handle_slowly(u32 id, struct pt_regs *regs)
{
	struct kview_spot *spot = kview_spot_by_id(id);

	if (kview_run_joint(id, regs))
		;
	else if (spot && spot->lends)
		kview_spot_lend(regs);
	else
		kview_count_rejected(id, spot, regs);
	return kview_chain(spot);
}

static __always_inline unsigned long kview_handle(u32 id, struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm;
	struct kview_site __rcu **leaf;
	struct kview_space *space;
	struct kview_site *site;
	int __percpu *active;

	preempt_disable_notrace();
	/* a kernel thread has no mm, which is in no bucket */
	space = rcu_dereference_raw(kview_spaces[kview_space_bucket(mm)]);
	while (unlikely(space->mm != mm)) {
		if (space == &kview_nobody)
			return kview_handle_slowly(id, regs);
		space = rcu_dereference_raw(space->next);
	}
	if (unlikely(kview_interrupting()))
		return kview_handle_slowly(id, regs);
	/* plain loads: x86 keeps loads in order, and each depends on the one before */
	leaf = READ_ONCE(space->dir)[id >> KVIEW_LEAF_SHIFT];
	site = (__force struct kview_site *)leaf[id & (KVIEW_LEAF - 1)];
	/* the same guard as the kernel's own tracing programs: maps rely on it */
	active = kview_sym.bpf_prog_active;
	if (unlikely(!site) || unlikely(kview_nested(active)))
		return kview_handle_slowly(id, regs);

	__this_cpu_inc(*active);
	kview_hit_site(site, regs);
	__this_cpu_dec(*kview_sym.bpf_prog_active);

	/* for a tracepoint the base always has a call here */
	if (unlikely(*site->base == CALL_INSN_OPCODE))
		return kview_chain(site->spot);
	preempt_enable_notrace();
	return 0;
}

/* Through private text. */
asmlinkage __visible unsigned long kview_handler(u32 id, struct pt_regs *regs)
{
	return kview_handle(id, regs);
}
NOKPROBE_SYMBOL(kview_handler);

/* Through the base and its filter, see filter.c: one thunk for all places. */
asmlinkage __visible unsigned long kview_filter_handler(u32 id, struct pt_regs *regs)
{
	struct kview_spot *spot;

	preempt_disable_notrace();
	spot = kview_spot_of_filter(regs->ip);
	id = spot ? spot->id : 0;
	preempt_enable_notrace();
	return spot ? kview_handle(id, regs) : 0;
}
NOKPROBE_SYMBOL(kview_filter_handler);
