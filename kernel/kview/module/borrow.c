// SPDX-License-Identifier: GPL-2.0
/*
 * Nobody runs a view on a borrowed address space.
 *
 * A kernel thread, and the idle loop, keep the page tables of whom they follow, and so
 * does a process that ends, once it has let go of its memory.  In a view they would come
 * upon hooks that are not for them, and would read its text for the kernel's: among
 * them those who patch text (see mirror.c).
 *
 * All of these pass enter_lazy_tlb() first, still in the view.  A site of the module's
 * own there loads init_mm's tables; the rest of the kernel takes that for a CPU that was
 * told to let go of the address space.  Where that function is inline (7.2) it is the
 * tracepoint sched_switch.  Who has borrowed an address space already when it enters a
 * view is made to let go by a flush (show.c).
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/err.h>
#include <linux/list.h>
#include <linux/printk.h>
#include <linux/sched.h>

#include "kview.h"
#include "borrow.h"
#include "place.h"
#include "set.h"
#include "spot.h"
#include "symbols.h"
#include "view.h"

static void kview_on_borrow(struct kview_space *space, struct pt_regs *regs)
{
	kview_spot_lend(regs);
}

static struct kview_place kview_borrow_place(void)
{
	struct kview_place place = {};

	if (kview_sym.enter_lazy_tlb)
		place.ip = kview_entry_ip(kview_sym.enter_lazy_tlb);
	else
		place.tp = kview_sym.sched_switch;
	return place;
}

/* When the module is loaded: can it be hooked in this kernel? */
int kview_borrow_check(void)
{
	struct kview_place place = kview_borrow_place();

	if (place.ip || place.tp)
		return 0;
	pr_err("enter_lazy_tlb has no place for a hook\n");
	return -EOPNOTSUPP;
}

/* Adds the site to a view, once, before anybody enters it. */
int kview_borrow_enable(struct kview_view *v)
{
	u32 kind = kview_sym.enter_lazy_tlb ? KVIEW_KIND_ENTRY : KVIEW_KIND_TRACEPOINT;
	struct kview_place place = kview_borrow_place();
	struct kview_set *set;

	if (v->borrow)
		return 0;
	if (!place.ip && !place.tp)
		return -EADDRNOTAVAIL;
	set = kview_set_create(v, kind, &place, 1, kview_on_borrow);
	if (IS_ERR(set))
		return PTR_ERR(set);
	v->borrow = set;
	return 0;
}

/* Takes it out again, after an error, when there is no attachment. */
void kview_borrow_release(struct kview_view *v)
{
	if (!v->borrow || !list_empty(&v->attachments))
		return;
	kview_set_destroy(v->borrow);
	v->borrow = NULL;
}
