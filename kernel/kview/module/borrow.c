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
 * tracepoint sched_switch and, for who lets go of memory without a switch (a process that
 * ends, a kernel thread that was given some), membarrier_update_current_mm(), which comes
 * just before.  Who has borrowed an address space already when it enters a view is made to
 * let go when that is flushed (pgtable.c).
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/err.h>
#include <linux/list.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>

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

enum { KVIEW_LENDERS = 2 };

/* How many there are; 0: one of them cannot be hooked. */
static u32 kview_borrow_places(struct kview_place *place)
{
	memset(place, 0, KVIEW_LENDERS * sizeof(*place));
	if (kview_sym.enter_lazy_tlb) {
		place[0].ip = kview_entry_ip(kview_sym.enter_lazy_tlb);
		return !!place[0].ip;
	}
	place[0].tp = kview_sym.sched_switch;
	if (!kview_sym.update_current_mm)
		return 1;
	place[1].ip = kview_entry_ip(kview_sym.update_current_mm);
	return place[1].ip ? 2 : 0;
}

/* When the module is loaded: can it be hooked in this kernel? */
int kview_borrow_check(void)
{
	struct kview_place place[KVIEW_LENDERS];

	if (kview_borrow_places(place))
		return 0;
	pr_err("enter_lazy_tlb has no place for a hook\n");
	return -EOPNOTSUPP;
}

/* Adds the site to a view, once, before anybody enters it. */
int kview_borrow_enable(struct kview_view *v)
{
	u32 kind = kview_sym.enter_lazy_tlb ? KVIEW_KIND_ENTRY : KVIEW_KIND_TRACEPOINT;
	struct kview_place place[KVIEW_LENDERS];
	struct kview_set *set;
	u32 n;

	if (v->borrow)
		return 0;
	n = kview_borrow_places(place);
	if (!n)
		return -EADDRNOTAVAIL;
	set = kview_set_create(v, kind, place, n, kview_on_borrow);
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
