// SPDX-License-Identifier: GPL-2.0
/* Which tables an address space runs on, and how that changes under who runs in it. */
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "attach.h"
#include "memory.h"
#include "pgtable.h"
#include "show.h"
#include "space.h"
#include "symbols.h"
#include "tracepoint.h"
#include "view.h"

void kview_spaces_flush(const struct kview_view *v)
{
	const struct kview_attachment *att;
	const struct kview_space *s;

	list_for_each_entry(att, &v->attachments, node)
		list_for_each_entry(s, &att->spaces, node)
			kview_flush_mm(s->mm);
}

/* In a test build: whoever comes and goes by these tables does it in sound steps. */
static void kview_view_check(struct kview_view *v)
{
	if (!KVIEW_TESTING || v->checked)
		return;
	kview_tables_check(NULL, &v->plain);
	kview_tables_check(&v->plain, &v->tables);
	v->checked = true;
}

/*
 * A process's only thread, on its way to user mode, is not in the middle of a tracepoint; and
 * while it is on the base's tables, it can't see its text change.
 *
 * It is the only one that runs in the address space, but a CPU where it slept since its fork
 * or execve can have borrowed that, in base text, where nobody asks (borrow.c): such a CPU is
 * made to let go first.  So is one that has gone on to another process since, which takes an
 * interrupt there and flushes nothing: the kernel strikes CPUs off the mask late.  With
 * preemption off nobody borrows it anew.
 */
static void kview_space_show_own(struct kview_space *s)
{
	unsigned long flags;

	preempt_disable();
	if (cpumask_any_but(mm_cpumask(s->mm), smp_processor_id()) < nr_cpu_ids)
		kview_flush_mm(s->mm);
	local_irq_save(flags);
	kview_sym.switch_mm_irqs_off(NULL, kview_sym.init_mm, NULL);
	kview_tables_install(&s->view->tables, s->mm);
	kview_flush_later(s->mm);
	kview_sym.switch_mm_irqs_off(NULL, s->mm, current);
	local_irq_restore(flags);
	preempt_enable();
}

void kview_space_show(struct kview_space *s)
{
	if (s->mm == current->mm && atomic_read(&s->mm->mm_users) == 1) {
		kview_space_show_own(s);
		return;
	}
	kview_flip_begin(true);
	kview_view_check(s->view);
	kview_tables_install(&s->view->plain, s->mm);
	kview_flush_mm(s->mm);
	kview_tables_install(&s->view->tables, s->mm);
	kview_flush_mm(s->mm);
	kview_flip_end();
}

/* A list of claimed ones, back to the base. */
void kview_spaces_hide(const struct list_head *list)
{
	struct kview_space *s;

	kview_flip_begin(false);
	list_for_each_entry(s, list, todo) {
		kview_view_check(s->view);
		kview_tables_install(&s->view->plain, s->mm);
		kview_flush_mm(s->mm);
	}
	list_for_each_entry(s, list, todo) {
		kview_tables_remove(s->mm);
		kview_flush_mm(s->mm);
	}
	kview_flip_end();
}
