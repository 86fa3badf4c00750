// SPDX-License-Identifier: GPL-2.0
/*
 * The filter before eBPF: hooks that everybody passes, for comparison with private
 * text and where that cannot be had.
 *
 *	base text		here				entry.S
 *	foo:  call kview_filter --> is the address space marked?
 *			       no:  ret
 *			       yes: jmp kview_filter_entry --> as from a thunk
 *
 * The call is ftrace's: a direct one, with no trampoline between.  The mark is a
 * bit of mm->flags that the kernel does not use and fork does not copy.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/version.h>
#include <asm/nospec-branch.h>

#include "attach.h"
#include "compat.h"
#include "filter.h"
#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "set.h"
#include "space.h"
#include "spot.h"
#include "view.h"

#define KVIEW_MM_MARK	63		/* in the flags' last byte: 0x80 */

struct kview_filter {
	struct ftrace_ops ops;
};

/*
 * Never called: it only puts the filter into a section of its own, with the offsets
 * that C knows.  r11 is free at a function's entry.  A kernel thread has no mm, nor has
 * a task that ends.  The active_mm would not do: the scheduler takes it from such a thread
 * while that one is still current (what __switch_to() calls, and an NMI there, find NULL),
 * and one that is borrowed can be freed while the thread is preempted between two of
 * these instructions.
 */
static void __used kview_filter_code(void)
{
	asm volatile(".pushsection .text.kview_filter, \"ax\"\n"
		     ".globl kview_filter\n"
		     ".type kview_filter, @function\n"
		     ".balign 16\n"
		     "kview_filter:\n"
		     ANNOTATE_NOENDBR
		     "	movq " __percpu_arg([task]) ", %%r11\n"
		     "	movq %c[mm](%%r11), %%r11\n"
		     "	testq %%r11, %%r11\n"
		     "	jz 1f\n"
		     "	testb $0x80, %c[flags](%%r11)\n"
		     "	jnz kview_filter_entry\n"
		     "1:\n"
		     ASM_RET
		     ".size kview_filter, . - kview_filter\n"
		     ".popsection\n"
		     : : [task] "m" (__my_cpu_var(KVIEW_CURRENT)),
			 [mm] "i" (offsetof(struct task_struct, mm)),
			 [flags] "i" (offsetof(struct mm_struct, flags) + KVIEW_MM_MARK / 8));
}

static int kview_filter_register(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	return register_ftrace_direct(ops, (unsigned long)kview_filter);
#else
	return register_ftrace_direct_multi(ops, (unsigned long)kview_filter);
#endif
}

static void kview_filter_unregister(struct ftrace_ops *ops)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
	unregister_ftrace_direct(ops, (unsigned long)kview_filter, true);
#else
	unregister_ftrace_direct_multi(ops, (unsigned long)kview_filter);
	ftrace_free_filter(ops);
#endif
}

/* By another view that it is in? */
static bool kview_filter_wanted(const struct kview_space *s, const void *but)
{
	return s != but && s->view->nfilters;
}

static void kview_filter_mark(struct kview_space *s, bool on)
{
	if (on || !kview_spaces_any(s->mm, kview_filter_wanted, s))
		kview_mm_assign_flag(s->mm, KVIEW_MM_MARK, on);
}

static void kview_filter_mark_all(struct kview_view *v, bool on)
{
	struct kview_attachment *att;
	struct kview_space *s;

	list_for_each_entry(att, &v->attachments, node)
		list_for_each_entry(s, &att->spaces, node)
			kview_filter_mark(s, on);
}

/*
 * Puts the hooks into the base, after kview_set_show().  Without kview_lock, as ftrace waits for
 * RCU tasks, when it makes room for its first direct call, and whenever one goes.
 */
int kview_filter_start(struct kview_set *set)
{
	unsigned long *ip = kview_calloc(set->nhooked, sizeof(*ip));
	struct kview_filter *f = kview_zalloc(sizeof(*f));
	int ret = -ENOMEM;
	u32 i;

	if (!ip || !f)
		goto out;
	for (i = 0; i < set->nhooked; i++)
		ip[i] = set->hooked[i].spot->ip;
	ret = kview_should_fail() ? -ENOMEM : ftrace_set_filter_ips(&f->ops, ip, set->nhooked, 0, 1);
	if (!ret)
		ret = kview_filter_register(&f->ops);
	if (ret) {
		ftrace_free_filter(&f->ops);
		goto out;
	}
	set->filter = f;
	f = NULL;
	mutex_lock(&kview_lock);
	if (!set->view->nfilters++)
		kview_filter_mark_all(set->view, true);
	mutex_unlock(&kview_lock);
out:
	kvfree(ip);
	kfree(f);
	return ret;
}

/*
 * Takes them out, before the set is removed: whoever is in one still comes to the set's sites.
 * Without kview_lock.
 */
void kview_filter_stop(struct kview_set *set)
{
	if (!set->filter)
		return;
	mutex_lock(&kview_lock);
	if (!--set->view->nfilters)
		kview_filter_mark_all(set->view, false);
	mutex_unlock(&kview_lock);
	/* waits until nobody needs ops any more */
	kview_filter_unregister(&set->filter->ops);
	kfree(set->filter);
	set->filter = NULL;
}

/* An address space enters or leaves the view.  Under kview_lock. */
void kview_filter_enter(struct kview_space *s)
{
	if (s->view->nfilters)
		kview_filter_mark(s, true);
}

void kview_filter_leave(struct kview_space *s)
{
	if (s->view->nfilters)
		kview_filter_mark(s, false);
}
