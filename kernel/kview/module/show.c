// SPDX-License-Identifier: GPL-2.0
/* Which tables an address space runs on, and how that changes under who runs in it. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "joint.h"
#include "memory.h"
#include "pgtable.h"
#include "show.h"
#include "space.h"
#include "symbols.h"
#include "text.h"
#include "tracepoint.h"
#include "view.h"

/* An address space is on the list once for each view that it is in. */
static bool kview_space_speaks(const struct kview_space *s)
{
	const struct kview_space *peer;

	list_for_each_entry(peer, &s->peers, peers)
		if (peer < s)
			return false;
	return true;
}

void kview_text_flush(const struct kview_text *t)
{
	const struct kview_space *s;

	list_for_each_entry(s, &t->spaces, text_node)
		if (kview_space_speaks(s))
			kview_flush_mm(s->mm);
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
static void kview_space_show_own(struct kview_space *s, struct kview_text *text)
{
	unsigned long flags;

	preempt_disable();
	if (cpumask_any_but(mm_cpumask(s->mm), smp_processor_id()) < nr_cpu_ids)
		kview_flush_mm(s->mm);
	local_irq_save(flags);
	kview_sym.switch_mm_irqs_off(NULL, kview_sym.init_mm, NULL);
	kview_tables_install(&text->tables, s->mm);
	kview_flush_later(s->mm);
	kview_sym.switch_mm_irqs_off(NULL, s->mm, current);
	local_irq_restore(flags);
	preempt_enable();
}

static void kview_space_put_on(struct kview_space *s, struct kview_tables *tables)
{
	kview_tables_install(tables, s->mm);
	kview_flush_mm(s->mm);
}

/* From one text to the other, by 4 KiB pages of the one and then of the other. */
static void kview_space_change(struct kview_space *s, struct kview_text *from,
			       struct kview_text *to)
{
	struct kview_tables *step = kview_joint_steps(from, to);

	kview_text_step(&step[0], from, to);
	kview_text_step(&step[1], to, from);
	kview_text_check(from);
	kview_text_check(to);
	kview_tables_check(&from->tables, &step[0]);
	kview_tables_check(&step[0], &step[1]);
	kview_tables_check(&step[1], &to->tables);
	kview_space_put_on(s, &step[0]);
	kview_space_put_on(s, &step[1]);
	kview_space_put_on(s, &to->tables);
}

/* All spaces of an address space have the same text. */
static void kview_space_moved(struct kview_space *first, struct kview_text *to)
{
	struct kview_space *s = first;

	do {
		list_move_tail(&s->text_node, &to->spaces);
		s->text = to;
		s = list_next_entry(s, peers);
	} while (s != first);
}

void kview_space_show(struct kview_space *s, struct kview_text *text)
{
	struct kview_text *from = NULL;

	if (!list_empty(&s->peers))
		from = list_first_entry(&s->peers, struct kview_space, peers)->text;
	s->text = text;
	list_add_tail(&s->text_node, &text->spaces);
	if (s->mm == current->mm && atomic_read(&s->mm->mm_users) == 1) {
		kview_space_show_own(s, text);
	} else if (from != text) {
		kview_flip_begin(!from || kview_joint_covers(text, from));
		if (from) {
			kview_space_change(s, from, text);
		} else {
			kview_text_check(text);
			kview_space_put_on(s, &text->plain);
			kview_space_put_on(s, &text->tables);
		}
		kview_flip_end();
	}
	if (from && from != text) {
		kview_space_moved(s, text);
		kview_joint_release(from);
	}
}

/* Which text those need who stay in the address space; NULL: nobody stays. */
static struct kview_text *kview_text_without(const struct kview_space *s)
{
	struct kview_view *view[KVIEW_VIEWS_MAX];
	struct kview_space *stays = s->stays_in;
	struct kview_text *text;
	u32 n = 0;

	if (!stays)
		return NULL;
	/* nobody runs it any more: the last one to go takes the base's tables */
	if (!atomic_read(&s->mm->mm_users))
		return s->text;
	do {
		view[n++] = stays->view;
		stays = list_next_entry(stays, peers);
	} while (stays != s->stays_in);
	text = kview_joint_get(view, n);
	return IS_ERR(text) ? s->text : text;
}

/* A list of claimed ones: to the base, or to the text of who stays. */
void kview_spaces_hide(const struct list_head *list)
{
	struct kview_space *s;

	/* takes text_mutex, too */
	list_for_each_entry(s, list, todo)
		s->next_text = kview_text_without(s);
	kview_flip_begin(false);
	list_for_each_entry(s, list, todo) {
		kview_text_check(s->text);
		if (!s->next_text)
			kview_space_put_on(s, &s->text->plain);
		else if (s->next_text != s->text)
			kview_space_change(s, s->text, s->next_text);
	}
	list_for_each_entry(s, list, todo)
		if (!s->next_text) {
			kview_tables_remove(s->mm);
			kview_flush_mm(s->mm);
		}
	kview_flip_end();
	list_for_each_entry(s, list, todo) {
		list_del(&s->text_node);
		if (s->next_text && s->next_text != s->text)
			kview_space_moved(s->stays_in, s->next_text);
		kview_joint_release(s->text);
	}
}
