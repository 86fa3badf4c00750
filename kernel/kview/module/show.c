// SPDX-License-Identifier: GPL-2.0
/* Which tables an address space runs on, and how that changes under who runs in it. */
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/mm.h>
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
 * A process's only thread, on its way to user mode, is between any two instructions that
 * a tracepoint is made of, and on the base's tables nothing of its text is seen to change.
 */
static void kview_space_show_own(struct kview_space *s)
{
	unsigned long flags;

	local_irq_save(flags);
	kview_sym.switch_mm_irqs_off(NULL, kview_sym.init_mm, NULL);
	kview_tables_install(&s->view->tables, s->mm);
	kview_flush_later(s->mm);
	kview_sym.switch_mm_irqs_off(NULL, s->mm, current);
	local_irq_restore(flags);
}

/* Could nobody else run in it meanwhile? */
bool kview_space_show(struct kview_space *s)
{
	if (s->mm == current->mm && atomic_read(&s->mm->mm_users) == 1) {
		kview_space_show_own(s);
		return true;
	}
	kview_flip_begin(true);
	kview_view_check(s->view);
	kview_tables_install(&s->view->plain, s->mm);
	kview_flush_mm(s->mm);
	kview_tables_install(&s->view->tables, s->mm);
	kview_flush_mm(s->mm);
	kview_flip_end();
	return false;
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
