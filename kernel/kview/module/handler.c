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
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "kview.h"
#include "attach.h"
#include "compat.h"
#include "event.h"
#include "handler.h"
#include "prog.h"
#include "return.h"
#include "set.h"
#include "space.h"
#include "spot.h"
#include "stats.h"
#include "symbols.h"
#include "view.h"

DEFINE_PER_CPU(struct kview_counters, kview_counters);

#define kview_count(what) __this_cpu_inc(kview_counters.what)

/* What a raw tracepoint program gets: at a function, the register arguments. */
#define KVIEW_RAW_ARGS	12

static noinline void kview_raw_args(const struct kview_site *site, struct pt_regs *regs, u64 *arg)
{
	const u64 reg[] = { regs->di, regs->si, regs->dx, regs->cx, regs->r8, regs->r9 };
	const u64 *stack = (const u64 *)regs->sp;
	unsigned int i, n;

	if (!site->spot->tp) {
		memcpy(arg, reg, sizeof(reg));
		memset(arg + 6, 0, (KVIEW_RAW_ARGS - 6) * sizeof(*arg));
		return;
	}
	/* the tracepoint's private data comes first; the sixth lies on the stack */
	for (n = 0, i = 1; i < 6; i++)
		arg[n++] = reg[i];
	for (i = 0; n < KVIEW_RAW_ARGS; i++)
		arg[n++] = READ_ONCE_NOCHECK(stack[i]);	/* beyond the last it is the caller's */
}

/*
 * bpf_get_func_ip() asks which kprobe is running on this CPU: for a program that calls it
 * there is one.  Interrupts are off, as in a kprobe, so that others' are not taken for
 * nested ones; those on what the program calls are, as from any kprobe.
 */
static noinline void kview_run_as_kprobe(const struct kview_site *site,
					 const struct bpf_prog *prog, struct pt_regs *regs)
{
	struct kprobe kp = {
		.addr = (kprobe_opcode_t *)site->spot->ip,
		.flags = KPROBE_FLAG_ON_FUNC_ENTRY,
	};
	struct kprobe **running, *outer;
	struct kprobe_ctlblk *state, old;
	unsigned long flags;

	local_irq_save(flags);
	running = this_cpu_ptr(kview_sym.current_kprobe);
	state = this_cpu_ptr(kview_sym.kprobe_ctlblk);
	outer = *running;
	old = *state;
	/* whoever sees one running, an NMI's kprobe, looks at its state */
	WRITE_ONCE(state->kprobe_status, KPROBE_HIT_ACTIVE);
	barrier();
	WRITE_ONCE(*running, &kp);
	bpf_prog_run(prog, regs);
	WRITE_ONCE(*running, outer);
	barrier();
	*state = old;
	local_irq_restore(flags);
}

static void kview_run_one(const struct kview_site *site, const struct kview_prog *p,
			  struct pt_regs *regs, void *record)
{
	struct bpf_trace_run_ctx ctx = {
		.bpf_cookie = p->cookies ? p->cookies[site->idx] : p->cookie,
	};
	struct bpf_run_ctx *old = bpf_set_run_ctx(&ctx.run_ctx);
	u64 arg[KVIEW_RAW_ARGS];

	if (record) {
		bpf_prog_run(p->prog, record);
	} else if (p->prog->type == BPF_PROG_TYPE_KPROBE) {
		if (p->prog->call_get_func_ip)
			kview_run_as_kprobe(site, p->prog, regs);
		else
			bpf_prog_run(p->prog, regs);
	} else {
		kview_raw_args(site, regs, arg);
		bpf_prog_run(p->prog, arg);
	}
	bpf_reset_run_ctx(old);
}

static struct kview_space *kview_space_find(struct mm_struct *mm)
{
	struct kview_space *s = rcu_dereference_raw(kview_spaces[kview_space_bucket(mm)]);

	while (s->mm != mm && s != &kview_nobody)
		s = rcu_dereference_raw(s->next);
	return s == &kview_nobody ? NULL : s;
}

bool kview_in_view(struct mm_struct *mm, const struct kview_view *v)
{
	struct kview_space *s = kview_space_find(mm);

	return s && s->view == v;
}

/* Of the kind EVENT: all programs get one record. */
static noinline void kview_run_record(const struct kview_site *site,
				      const struct kview_progs *progs, struct pt_regs *regs)
{
	struct kview_record record;
	u32 i;

	if (!kview_record_begin(&record, site, regs))
		return;
	for (i = 0; i < progs->n; i++)
		kview_run_one(site, &progs->p[i], regs, record.data);
	kview_record_end(&record);
}

void kview_run_programs(const struct kview_site *site, struct pt_regs *regs)
{
	const struct kview_progs *progs = rcu_dereference_raw(site->set->progs);
	u32 i;

	if (!progs)
		return;
	if (site->event) {
		kview_run_record(site, progs, regs);
		return;
	}
	for (i = 0; i < progs->n; i++)
		kview_run_one(site, &progs->p[i], regs, NULL);
}

/* The module's own site; unless the process has been taken out of the view meanwhile. */
static void kview_call_back(const struct kview_site *site, struct pt_regs *regs)
{
	struct kview_space *space = kview_space_find(current->mm);

	if (space)
		site->set->callback(space, regs);
}

/*
 * The long way: any number of sets at this place, and of programs of any type.
 * Its type is that of a program's code, in whose place it stands.
 */
unsigned int kview_run_all(const void *ctx, const struct bpf_insn *insn)
{
	const struct kview_site *first = (const struct kview_site *)insn, *site;
	struct pt_regs *regs = (struct pt_regs *)ctx;

	for (site = first; site; site = rcu_dereference_raw(site->next)) {
		if (site != first)
			__this_cpu_inc(*site->hits);
		if (site->event && !kview_event_occurs(site->event, regs))
			continue;
		if (site->set->callback)
			kview_call_back(site, regs);
		if (site->set->kind == KVIEW_KIND_RETURN)
			kview_watch_return(site, regs);
		else
			kview_run_programs(site, regs);
	}
	return 0;
}

/*
 * Other tracers' hooks at the same place are in the base, not in the private
 * text.  Returns where to go on so that they lose nothing, 0 for the site itself.
 * Ends what kview_handler() began.
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

/* All sets that have the place in this view lose the call. */
static void kview_lose(const struct kview_site *site, struct pt_regs *regs, enum kview_loss why)
{
	for (; site; site = rcu_dereference_raw(site->next))
		if (!site->event || kview_event_is(site->event, regs))
			atomic64_inc(&site->lost[why]);
}

/* Whose text it was is not known of a process that is in no view, or in another one. */
static void kview_count_rejected(u32 id, struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm ?: current->active_mm;
	struct kview_space *space = mm ? kview_space_find(mm) : NULL;
	const struct kview_site *site = NULL;

	if (space)
		site = rcu_dereference_raw(space->dir[id >> KVIEW_LEAF_SHIFT]
						     [id & (KVIEW_LEAF - 1)]);
	if (!current->mm) {
		kview_count(kthread);
		kview_lose(site, regs, KVIEW_LOST_BORROWED);
	} else if (!in_task()) {
		kview_count(irq);
		kview_lose(site, regs, KVIEW_LOST_IRQ);
	} else if (__this_cpu_read(*kview_sym.bpf_prog_active)) {
		kview_count(nested);
		kview_lose(site, regs, KVIEW_LOST_NESTED);
	} else {
		kview_count(left);
		if (space)
			kview_count(elsewhere);
	}
}

static noinline unsigned long kview_reject(u32 id, struct pt_regs *regs)
{
	struct kview_spot *spot = kview_spot_by_id(id);

	if (spot && spot->lends)
		kview_spot_lend(regs);
	else
		kview_count_rejected(id, regs);
	return kview_chain(spot);
}

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

static __always_inline unsigned long kview_handle(u32 id, struct pt_regs *regs)
{
	struct mm_struct *mm = current->mm;
	struct kview_site __rcu **leaf;
	struct bpf_run_ctx *outer;
	struct kview_space *space;
	struct kview_site *site;
	int __percpu *active;

	preempt_disable_notrace();
	/* a kernel thread has no mm, which is in no bucket */
	space = rcu_dereference_raw(kview_spaces[kview_space_bucket(mm)]);
	while (unlikely(space->mm != mm)) {
		if (space == &kview_nobody)
			return kview_reject(id, regs);
		space = rcu_dereference_raw(space->next);
	}
	if (unlikely(kview_interrupting()))
		return kview_reject(id, regs);
	/* plain loads: x86 keeps loads in order, and each depends on the one before */
	leaf = space->dir[id >> KVIEW_LEAF_SHIFT];
	site = (__force struct kview_site *)leaf[id & (KVIEW_LEAF - 1)];
	/* the same guard as the kernel's own tracing programs: maps rely on it */
	active = kview_sym.bpf_prog_active;
	if (unlikely(!site) || unlikely(kview_nested(active)))
		return kview_reject(id, regs);

	__this_cpu_inc(*active);
	__this_cpu_inc(*site->hits);
	outer = bpf_set_run_ctx(&site->ctx.run_ctx);
	/* preemption off is enough for RCU; lockdep wants to hear it */
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_lock();
	READ_ONCE(site->run)(regs, (const struct bpf_insn *)site);
	if (IS_ENABLED(CONFIG_PROVE_RCU))
		rcu_read_unlock();
	bpf_reset_run_ctx(outer);
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
