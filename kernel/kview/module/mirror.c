// SPDX-License-Identifier: GPL-2.0
/*
 * Others who read and write kernel text while views exist.
 *
 * The rule: who reads text to remember it, to compare it or to run it elsewhere, and
 * who writes it, is on the base's tables.  Only a process in a view and what interrupts
 * it run a view's text; kernel threads and the idle loop never do (borrow.c).  So the
 * rule concerns processes in views, by what they call:
 *
 *	__text_poke()		writes.  On the base's tables; then the write is repeated
 *				in the copies, before the caller makes all CPUs serialise,
 *				but for the instructions that a view overrides: those are
 *				overridden as a whole, never in part
 *	ftrace_replace_code()	compares.  On the base's tables (escape.c)
 *	arch_jump_label_transform_queue()	compares, and sleeps: done here, on the
 *				base's bytes
 *	register_kprobe()	remembers, to run it elsewhere, and sleeps: done by a
 *				kernel thread, always: who is in no view when it begins
 *				may be attached before it copies
 *	static calls		compare the opcode alone, which is a call in both
 *
 * An optimised kprobe is a jump of five bytes, and runs the instructions under it
 * elsewhere, as they are in the base.  arch_check_optimized_kprobe() says no where a view
 * has one of its own: such a kprobe stays a breakpoint.
 *
 * The wraps are ftrace ops.  IPMODIFY keeps others from doing the same; PERMANENT keeps
 * "sysctl kernel.ftrace_enabled=0" from undoing them.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/srcu.h>
#include <linux/workqueue.h>
#include <asm/nops.h>
#include <asm/text-patching.h>

#include "compat.h"
#include "counters.h"
#include "escape.h"
#include "memory.h"
#include "mirror.h"
#include "pgtable.h"
#include "spot.h"
#include "symbols.h"
#include "syscall.h"
#include "textcopy.h"

/* In front of a function, at most. */
#define KVIEW_PADDING_MAX	64

bool kview_unsafe_no_mirror;
kview_test_param(unsafe_no_mirror, kview_unsafe_no_mirror, bool, 0400,
		 "do not repeat other tracers' writes in copies");

static bool kview_unsafe_poke_sleeps;
kview_test_param(unsafe_poke_sleeps, kview_unsafe_poke_sleeps, bool, 0400,
		 "load also where others' writes can only be repeated at the risk of sleeping");

/*
 * Writes are repeated in copies by __text_poke(), with interrupts off.  There are kernels in which
 * it takes init_mm's mmap_lock for what is not the kernel image's text (7.2), and so can sleep, with
 * our lock held.
 */
static bool kview_poke_sleeps(void)
{
	unsigned long va = kview_sym.text_poke, size = 0, at, offset;
	s64 ahead;
	s32 rel;

	if (kview_pretend_missing("poke") ||
	    !kview_sym.kallsyms_lookup_size_offset(va, &size, &offset))
		return true;
	for (at = va; at + CALL_INSN_SIZE <= va + size; at++) {
		if (*kview_base_text(at) != CALL_INSN_OPCODE)
			continue;
		memcpy(&rel, kview_base_text(at + 1), sizeof(rel));
		ahead = at + CALL_INSN_SIZE + rel - (unsigned long)down_read;
		/* to its padding, where that counts calls */
		if (ahead <= 0 && ahead >= -KVIEW_PADDING_MAX)
			return true;
	}
	return false;
}

typedef void *(*kview_text_poke_t)(void *func, void *addr, const void *src, size_t len);

/* Of the kernel image's text.  Enter the original behind its ftrace call: that call would lead back here. */
static void *kview_text_poke(void *func, void *addr, const void *src, size_t len)
{
	kview_text_poke_t original = (kview_text_poke_t)kview_sym.text_poke;
	unsigned long va = (unsigned long)addr, flags;
	bool escaped;
	void *ret;

	if (kview_escape_keeps(va, src))
		return addr;
	kview_escape_rest();
	local_irq_save(flags);
	escaped = kview_escape_begin();
	ret = original(func, addr, src, len);
	if (!kview_unsafe_no_mirror)
		kview_copy_mirror(va, len);
	kview_spots_rewritten(va, len);
	kview_escape_end(escaped);
	local_irq_restore(flags);
	return ret;
}

static const u8 kview_nop2[] = { BYTES_NOP2 }, kview_nop5[] = { BYTES_NOP5 };

/* Queues the change if the base has what it should have, whatever a view shows. */
static bool kview_jump_patch(const struct jump_entry *entry, enum jump_label_type type)
{
	unsigned long code = jump_entry_code(entry);
	const u8 *base = kview_base_text(code), *nop, *jump;
	struct insn insn;
	bool fits;

	mutex_lock(kview_sym.text_mutex);
	fits = !kview_sym.insn_decode(&insn, base, MAX_INSN_SIZE, INSN_MODE_KERN) &&
	       (insn.length == JMP8_INSN_SIZE || insn.length == JMP32_INSN_SIZE);
	if (fits) {
		nop = insn.length == JMP8_INSN_SIZE ? kview_nop2 : kview_nop5;
		jump = text_gen_insn(insn.length == JMP8_INSN_SIZE ? JMP8_INSN_OPCODE :
				     JMP32_INSN_OPCODE, (void *)code,
				     (void *)jump_entry_target(entry));
		fits = !memcmp(base, type == JUMP_LABEL_JMP ? nop : jump, insn.length);
		if (fits)
			kview_sym.text_poke_queue((void *)code, type == JUMP_LABEL_JMP ? jump : nop,
						  insn.length, NULL);
	}
	mutex_unlock(kview_sym.text_mutex);
	return fits;
}

/* Who waits for text_mutex below, for which RCU tasks would not wait at unloading. */
DEFINE_STATIC_SRCU(kview_sleepers);

/*
 * The jump-label code compares text with what it expects to find there.  It
 * sleeps, so it cannot run outside the view as those above and in escape.c do.
 */
static bool kview_jump_queue(struct jump_entry *entry, enum jump_label_type type)
{
	bool (*original)(struct jump_entry *entry, enum jump_label_type type);
	unsigned long code = jump_entry_code(entry);
	bool ret = true;
	int idx;

	idx = srcu_read_lock(&kview_sleepers);
	original = (void *)kview_sym.jump_queue;
	/* modules' text is in no view; what does not fit is the original's to report */
	if (code < kview_sym.text_start || code >= kview_sym.text_end ||
	    !kview_jump_patch(entry, type))
		ret = original(entry, type);
	kview_syscalls_key_changed(jump_entry_key(entry));
	srcu_read_unlock(&kview_sleepers, idx);
	return ret;
}

struct kview_registration {
	struct work_struct work;
	struct kprobe *kp;
	int ret;
};

static void kview_register_work(struct work_struct *work)
{
	struct kview_registration *r = container_of(work, struct kview_registration, work);
	int (*original)(struct kprobe *kp) = (void *)kview_sym.register_kprobe;

	kview_escape_borrowed();
	r->ret = original(r->kp);
}

/* It copies instructions, and sleeps in between. */
static int kview_register_kprobe(struct kprobe *kp)
{
	struct kview_registration r = { .kp = kp };
	int idx;

	idx = srcu_read_lock(&kview_sleepers);
	preempt_disable();
	if (kview_cpu_in_view())
		this_cpu_inc(kview_counters.escaped);
	preempt_enable();
	INIT_WORK_ONSTACK(&r.work, kview_register_work);
	if (kview_unsafe_no_escape) {
		kview_register_work(&r.work);
	} else {
		queue_work(system_dfl_wq, &r.work);
		flush_work(&r.work);
	}
	destroy_work_on_stack(&r.work);
	srcu_read_unlock(&kview_sleepers, idx);
	return r.ret;
}

static int kview_check_optimized(struct optimized_kprobe *op)
{
	int (*original)(struct optimized_kprobe *op) = (void *)kview_sym.check_optimized;

	int ret = -EEXIST;

	if (!kview_copy_overlaps((unsigned long)op->kp.addr, op->optinsn.size))
		ret = original(op);
	/* a tail call would lead back here */
	barrier();
	return ret;
}

#ifdef ftrace_regs_set_instruction_pointer
#define kview_set_ip	ftrace_regs_set_instruction_pointer
#else
#define kview_set_ip	ftrace_instruction_pointer_set
#endif

static void notrace kview_redirect(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	/* a call by the replacement goes to the original */
	if (!within_module(parent_ip, THIS_MODULE))
		kview_set_ip(fregs, (unsigned long)ops->private);
}

/* Modules' text, for which 7.2 takes a lock and may sleep, is the same in all views. */
static void notrace kview_redirect_poke(unsigned long ip, unsigned long parent_ip,
					struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	unsigned long va = ftrace_get_regs(fregs)->si;

	if (va >= kview_sym.text_start && va < kview_sym.text_end)
		kview_redirect(ip, parent_ip, ops, fregs);
}

#define KVIEW_WRAP_FLAGS \
	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT)

static struct ftrace_ops kview_wraps[] = {
	{ .func = kview_redirect_poke, .flags = KVIEW_WRAP_FLAGS, .private = kview_text_poke },
	{ .func = kview_redirect, .flags = KVIEW_WRAP_FLAGS, .private = kview_jump_queue },
	{ .func = kview_redirect, .flags = KVIEW_WRAP_FLAGS, .private = kview_register_kprobe },
	{ .func = kview_redirect, .flags = KVIEW_WRAP_FLAGS, .private = kview_check_optimized },
};

static int kview_wrap(struct ftrace_ops *ops, unsigned long addr, const char *name)
{
	unsigned long ip = kview_sym.ftrace_location(addr);
	int ret = ip ? ftrace_set_filter_ip(ops, ip, 0, 0) : -EADDRNOTAVAIL;

	if (!ret)
		ret = register_ftrace_function(ops);
	if (ret) {
		pr_err("cannot wrap %s: %d\n", name, ret);
		ftrace_free_filter(ops);
	}
	return ret;
}

static void kview_unwrap(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
	ftrace_free_filter(ops);
}

int kview_mirror_init(void)
{
	const struct {
		unsigned long addr;
		const char *name;
	} wrapped[] = {
		{ kview_sym.text_poke, "__text_poke" },
		{ kview_sym.jump_queue, "arch_jump_label_transform_queue" },
		{ kview_sym.register_kprobe, "register_kprobe" },
		{ kview_sym.check_optimized, "arch_check_optimized_kprobe" },
	};
	unsigned int i;
	int ret;

	if (!kview_unsafe_poke_sleeps && kview_poke_sleeps()) {
		pr_err("__text_poke() of this kernel can sleep: changes of its text could not be followed without harm\n");
		return -EOPNOTSUPP;
	}
	for (i = 0; i < ARRAY_SIZE(kview_wraps); i++) {
		ret = kview_wrap(&kview_wraps[i], wrapped[i].addr, wrapped[i].name);
		if (ret)
			goto undo;
	}
	return 0;
undo:
	while (i--)
		kview_unwrap(&kview_wraps[i]);
	synchronize_srcu(&kview_sleepers);
	return ret;
}

/* The one that repeats writes is the last to go. */
void kview_mirror_exit(void)
{
	unsigned int i = ARRAY_SIZE(kview_wraps);

	while (--i)
		kview_unwrap(&kview_wraps[i]);
	synchronize_srcu(&kview_sleepers);
	kview_unwrap(&kview_wraps[0]);
}
