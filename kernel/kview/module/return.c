// SPDX-License-Identifier: GPL-2.0
/*
 * Function returns, by way of the kernel's rethook: at a site of the kind RETURN
 * the hook puts rethook's trampoline in place of the return address, and eBPF programs
 * run when the function returns.
 *
 * What is to be remembered of a call lies in a node of the set's pool.  When the
 * pool is empty (that many calls that sleep) or the stack is short (a deep
 * recursion) the call goes unwatched and is counted as missed.  Other tracers' return
 * hooks at the same call come later, by the chain, and find rethook's trampoline as
 * the return address: each undoes its own.  A call can outlast the set, and the module:
 * rethook frees its node then, without calling back.
 */
#include <linux/atomic.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "memory.h"
#include "moment.h"
#include "return.h"
#include "run.h"
#include "set.h"
#include "symbols.h"

struct kview_return {
	struct rethook_node node;	/* first: rethook frees it */
	const struct kview_site *site;
};

static void kview_returned(struct rethook_node *node, void *data, struct pt_regs *regs)
{
	const struct kview_site *site = container_of(node, struct kview_return, node)->site;
	u64 now = kview_moment_now();

	/* the process may have left, or it is the tracing that called, or the set is off */
	if (!in_task() || !kview_space_in(current->mm, site->set->view) ||
	    !kview_is_on(READ_ONCE(site->set->turn), now)) {
		atomic64_inc(&site->lost[KVIEW_LOST_RETURN]);
		return;
	}
	preempt_disable_notrace();
	if (this_cpu_inc_return(*kview_sym.bpf_prog_active) == 1) {
		/* preemption off is enough for RCU, whose own functions may have hooks, too; lockdep wants to hear it */
		if (IS_ENABLED(CONFIG_PROVE_RCU))
			rcu_read_lock();
		kview_run_programs(site, regs);
		if (IS_ENABLED(CONFIG_PROVE_RCU))
			rcu_read_unlock();
	} else {
		atomic64_inc(&site->lost[KVIEW_LOST_RETURN]);
	}
	this_cpu_dec(*kview_sym.bpf_prog_active);
	preempt_enable_notrace();
}

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)

static void kview_returned_to(struct rethook_node *node, void *data, unsigned long ret_addr,
			      struct pt_regs *regs)
{
	kview_returned(node, data, regs);
}

static struct rethook *kview_return_pool(struct kview_set *set)
{
	return kview_sym.rethook_alloc(set, kview_returned_to, sizeof(struct kview_return),
				       set->nreturns);
}

#else

static struct rethook *kview_return_pool(struct kview_set *set)
{
	struct rethook *rh = kview_sym.rethook_alloc(set, kview_returned);
	unsigned int i;

	for (i = 0; rh && i < set->nreturns; i++) {
		struct kview_return *r = kview_zalloc(sizeof(*r));

		if (!r) {
			kview_sym.rethook_free(rh);
			return NULL;
		}
		kview_sym.rethook_add_node(rh, &r->node);
	}
	return rh;
}

#endif

int kview_returns_create(struct kview_set *set)
{
	struct rethook *rh = kview_should_fail() ? NULL : kview_return_pool(set);

	if (IS_ERR_OR_NULL(rh))
		return -ENOMEM;
	set->returns = rh;
	return 0;
}

u64 kview_returns_memory(const struct kview_set *set)
{
	return set->returns ? (u64)set->nreturns * sizeof(struct kview_return) : 0;
}

/* The caller waits for RCU before it frees the set. */
void kview_returns_stop(struct kview_set *set)
{
	if (set->returns)
		kview_sym.rethook_free(set->returns);
	set->returns = NULL;
}

/*
 * Watching costs stack when the call returns.  A recursion that goes on into the
 * last quarter, by the kernel or by what the return itself calls, is watched no deeper.
 */
static bool kview_stack_is_short(const struct pt_regs *regs)
{
	return regs->sp - (unsigned long)task_stack_page(current) < THREAD_SIZE / 4;
}

/* In the hook. */
void kview_watch_return(const struct kview_site *site, struct pt_regs *regs)
{
	struct rethook *rh = READ_ONCE(site->set->returns);
	struct rethook_node *node = NULL;

	if (rh && !kview_stack_is_short(regs))
		node = kview_sym.rethook_try_get(rh);

	if (!node) {
		atomic64_inc(&site->lost[KVIEW_LOST_MISSED]);
		return;
	}
	container_of(node, struct kview_return, node)->site = site;
	kview_sym.rethook_hook(node, regs, true);
}
