// SPDX-License-Identifier: GPL-2.0
/*
 * Code that checks base text before it patches it must see base text, even when
 * the task that runs it is in a view: it runs on init_mm's page tables meanwhile.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/text-patching.h>

#include "counters.h"
#include "escape.h"
#include "memory.h"
#include "pgtable.h"
#include "symbols.h"

bool kview_unsafe_no_escape;
kview_test_param(unsafe_no_escape, kview_unsafe_no_escape, bool, 0400,
		 "let patching code run in views");

/* Preemption is off until kview_escape_end(): a switch would load the view again. */
bool kview_escape_begin(void)
{
	if (kview_unsafe_no_escape || !kview_cpu_in_view())
		return false;
	this_cpu_inc(kview_counters.escaped);
	kview_base_tables_load();
	return true;
}

void kview_escape_end(bool escaped)
{
	unsigned long flags;

	if (!escaped || !current->mm)	/* a kernel thread may stay on init_mm */
		return;
	local_irq_save(flags);
	kview_sym.switch_mm_irqs_off(NULL, current->active_mm, current);
	local_irq_restore(flags);
}

void kview_escape_borrowed(void)
{
	preempt_disable();
	if (!current->mm)
		kview_base_tables_load();
	preempt_enable();
}

/*
 * ftrace_replace_code() compares every site with what it should be before it
 * changes it.  ftrace cannot hook it, so a breakpoint sends it here.  For all functions
 * it takes long: only who is in a view does it with preemption off, and rests in between.  Who has memory and is in none
 * can't enter one meanwhile: ftrace holds text_mutex, as does whoever puts others into views, and
 * who joins one by itself is not in ftrace.  Who has none stays on init_mm's tables.
 */
static struct task_struct *kview_replacing;
static bool kview_replacing_away;	/* it has escaped, with preemption off once */

static void kview_ftrace_replace(int enable)
{
	void (*original)(int enable) = (void *)kview_sym.ftrace_replace;
	bool escaped;

	preempt_disable();
	escaped = kview_escape_begin();
	if (!escaped)
		preempt_enable();
	kview_escape_borrowed();
	/* one at a time: ftrace holds its mutex here */
	kview_replacing_away = escaped;
	WRITE_ONCE(kview_replacing, current);
	original(enable);
	WRITE_ONCE(kview_replacing, NULL);
	if (!escaped)
		return;
	kview_escape_end(escaped);
	preempt_enable();
}

static int kview_replace_pre(struct kprobe *kp, struct pt_regs *regs)
{
	if (READ_ONCE(kview_replacing) == current)
		return 0;
	regs->ip = (unsigned long)kview_ftrace_replace;
	return 1;
}

void kview_escape_rest(void)
{
	if (preemptible()) {
		cond_resched();
		return;
	}
	if (READ_ONCE(kview_replacing) != current || !kview_replacing_away || !need_resched() ||
	    preempt_count() != PREEMPT_OFFSET || irqs_disabled())
		return;
	kview_escape_end(true);
	preempt_enable();
	cond_resched();
	preempt_disable();
	/* counted once, when it began */
	kview_base_tables_load();
}

/* With a post handler the probe stays a breakpoint, whose handler may change ip. */
static void kview_replace_post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe kview_replace_probe = {
	.pre_handler = kview_replace_pre,
	.post_handler = kview_replace_post,
};
static bool kview_replace_armed;
static bool kview_replace_kept;		/* somebody has switched all kprobes off */

/*
 * "echo 0 > kprobes/enabled" takes every kprobe's breakpoint away.  This one stays: the
 * handler runs nevertheless.  Under text_mutex.
 */
bool kview_escape_keeps(unsigned long va, const void *src)
{
	if (va != (unsigned long)kview_replace_probe.addr || !kview_replace_armed)
		return false;
	kview_replace_kept = *(const u8 *)src != INT3_INSN_OPCODE;
	return kview_replace_kept;
}

int kview_escape_init(void)
{
	int ret;

	kview_replace_probe.addr = (kprobe_opcode_t *)kview_sym.ftrace_replace;
	ret = register_kprobe(&kview_replace_probe);
	if (ret) {
		pr_err("cannot wrap ftrace_replace_code: %d\n", ret);
		return ret;
	}
	mutex_lock(kview_sym.text_mutex);
	/* its address may be behind an endbr64 by now */
	kview_replace_armed = *kview_base_text((unsigned long)kview_replace_probe.addr) ==
			      INT3_INSN_OPCODE;
	mutex_unlock(kview_sym.text_mutex);
	if (kview_replace_armed)
		return 0;
	pr_err("kprobes are switched off (kprobes/enabled in debugfs)\n");
	unregister_kprobe(&kview_replace_probe);
	return -EBUSY;
}

void kview_escape_exit(void)
{
	mutex_lock(kview_sym.text_mutex);
	kview_replace_armed = false;
	/* kprobes think that they have taken the breakpoint away, and would leave it */
	if (kview_replace_kept) {
		kview_sym.poke(kview_replace_probe.addr, &kview_replace_probe.opcode,
			       INT3_INSN_SIZE);
		kview_sym.poke_sync();
	}
	mutex_unlock(kview_sym.text_mutex);
	unregister_kprobe(&kview_replace_probe);
}
