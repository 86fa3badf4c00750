// SPDX-License-Identifier: GPL-2.0
/* Runs the eBPF programs of a site, and finds whose it is; for the hook, with preemption off. */
#include <linux/atomic.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "event.h"
#include "lookup.h"
#include "prog.h"
#include "run.h"
#include "set.h"
#include "space.h"
#include "spot.h"
#include "symbols.h"

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
 * bpf_get_func_ip() asks which kprobe is running on this CPU: for an eBPF program that calls it
 * there is one.  Interrupts are off, as in a kprobe, so that kprobes in interrupts are not taken
 * for nested ones; kprobes on what the eBPF program calls are nested, and missed, as with any kprobe.
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

static struct kview_space *kview_space_from(struct kview_space *s, const struct mm_struct *mm)
{
	while (s->mm != mm && s != &kview_nobody)
		s = rcu_dereference_raw(s->next);
	return s == &kview_nobody ? NULL : s;
}

struct kview_space *kview_space_find(struct mm_struct *mm)
{
	return kview_space_from(rcu_dereference_raw(kview_spaces[kview_space_bucket(mm)]), mm);
}

struct kview_space *kview_space_next(const struct kview_space *s)
{
	return kview_space_from(rcu_dereference_raw(s->next), s->mm);
}

struct kview_space *kview_space_in(struct mm_struct *mm, const struct kview_view *v)
{
	struct kview_space *s = kview_space_find(mm);

	while (s && s->view != v)
		s = kview_space_next(s);
	return s;
}

/* Of the kind EVENT: all eBPF programs get one record. */
static noinline void kview_run_record(const struct kview_site *site,
				      const struct kview_progs *progs, struct pt_regs *regs)
{
	struct kview_record record;
	u32 i;

	if (!kview_record_begin(&record, site, regs)) {
		atomic64_inc(&site->lost[KVIEW_LOST_RECORD]);
		return;
	}
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
