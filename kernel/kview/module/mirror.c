// SPDX-License-Identifier: GPL-2.0
/*
 * Other tracers write to the base's text; copies of it must follow.
 *
 * Every such write goes through __text_poke().  An ftrace op redirects it to a
 * replacement, which calls the original and then repeats the write in the copies,
 * before the caller makes all CPUs serialise.  IPMODIFY keeps others from doing
 * the same; PERMANENT keeps "sysctl kernel.ftrace_enabled=0" from undoing it.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/module.h>

#include "escape.h"
#include "mirror.h"
#include "stats.h"
#include "symbols.h"
#include "syscall.h"
#include "textcopy.h"

bool kview_unsafe_no_mirror;
module_param_named(unsafe_no_mirror, kview_unsafe_no_mirror, bool, 0400);
MODULE_PARM_DESC(unsafe_no_mirror, "for tests: do not repeat other tracers' writes in copies");

atomic64_t kview_mirrored;

typedef void *(*kview_text_poke_t)(void *func, void *addr, const void *src, size_t len);

/* Enter the original behind its ftrace call: that call would lead back here. */
static void *kview_text_poke(void *func, void *addr, const void *src, size_t len)
{
	kview_text_poke_t original = (kview_text_poke_t)kview_sym.text_poke;
	unsigned long va = (unsigned long)addr, flags;
	bool escaped;
	void *ret;

	local_irq_save(flags);
	escaped = kview_escape_begin();
	ret = original(func, addr, src, len);
	if (!kview_unsafe_no_mirror && va >= kview_sym.text_start && va < kview_sym.text_end)
		kview_copy_mirror(va, len);
	kview_escape_end(escaped);
	local_irq_restore(flags);
	return ret;
}

/* The jump-label code compares text with what it expects to find there. */
static bool kview_jump_queue(struct jump_entry *entry, enum jump_label_type type)
{
	bool (*original)(struct jump_entry *entry, enum jump_label_type type);
	bool escaped, ret;

	original = (void *)kview_sym.jump_queue;
	preempt_disable();
	escaped = kview_escape_begin();
	ret = original(entry, type);
	kview_escape_end(escaped);
	preempt_enable();
	kview_syscalls_key_changed(jump_entry_key(entry));
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

#define KVIEW_WRAP_FLAGS \
	(FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT)

static struct ftrace_ops kview_wraps[] = {
	{ .func = kview_redirect, .flags = KVIEW_WRAP_FLAGS, .private = kview_text_poke },
	{ .func = kview_redirect, .flags = KVIEW_WRAP_FLAGS, .private = kview_jump_queue },
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
	int ret = kview_wrap(&kview_wraps[0], kview_sym.text_poke, "__text_poke");

	if (ret)
		return ret;
	ret = kview_wrap(&kview_wraps[1], kview_sym.jump_queue, "arch_jump_label_transform_queue");
	if (ret)
		kview_unwrap(&kview_wraps[0]);
	return ret;
}

void kview_mirror_exit(void)
{
	kview_unwrap(&kview_wraps[1]);
	kview_unwrap(&kview_wraps[0]);
}
