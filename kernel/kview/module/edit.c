// SPDX-License-Identifier: GPL-2.0
/*
 * Text that changes for a set: new regions are built aside, for the view and for all joint
 * texts that have it, and then swapped in, all of them or none.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "edit.h"
#include "joint.h"
#include "lock.h"
#include "memory.h"
#include "pgtable.h"
#include "region.h"
#include "set.h"
#include "show.h"
#include "text.h"
#include "tracepoint.h"
#include "view.h"

/* The view's texts: its own, then the joint ones. */
static struct kview_text *kview_text_after(struct kview_view *v, struct kview_text *t)
{
	return kview_joint_next(v, t == &v->text ? NULL : t);
}

#define kview_for_each_text(v, t) \
	for (t = &(v)->text; t; t = kview_text_after(v, t))

static bool kview_view_shown(struct kview_view *v)
{
	struct kview_text *t;

	kview_for_each_text(v, t)
		if (kview_text_shown(t))
			return true;
	return false;
}

void kview_view_prepare(struct kview_view *v)
{
	bool shown;

	mutex_lock(&kview_lock);
	shown = kview_view_shown(v);
	mutex_unlock(&kview_lock);
	if (shown)
		kview_flip_prepare();
	else
		kview_text_prepare();
}

/* One region's change: prepared, then swapped in, then the old one freed. */
struct kview_edit {
	struct kview_text *text;
	unsigned int idx;
	bool fresh;			/* Global was cleared for it */
	struct kview_region *region;
};

static void kview_edits_undo(struct kview_edit *edit, unsigned int n)
{
	while (n--) {
		kview_region_free(edit[n].region);
		if (edit[n].fresh)
			kview_base_global_put(edit[n].idx);
	}
}

static int kview_edits_prepare(struct kview_text *t, const struct kview_set *set, bool add,
			       struct kview_edit *edit, unsigned int *n)
{
	u32 i, end;

	for (i = 0; i < set->nov; i = end) {
		struct kview_edit *e = &edit[*n];
		int ret;

		e->text = t;
		e->idx = set->ov[i].off >> PMD_SHIFT;
		for (end = i; end < set->nov && set->ov[end].off >> PMD_SHIFT == e->idx; end++)
			;
		if (add && !t->region[e->idx]) {
			ret = kview_base_global_get(e->idx);
			if (ret)
				return ret;
			e->fresh = true;
		}
		e->region = kview_region_build(e->idx, t->region[e->idx], set->ov + i, end - i,
					       add, t->joint);
		if (IS_ERR(e->region)) {
			ret = PTR_ERR(e->region);
			if (e->fresh)
				kview_base_global_put(e->idx);
			return ret;
		}
		(*n)++;
	}
	return 0;
}

/* Sizes of pages and what they map change one after the other, see pgtable.c: in two steps. */
static pmd_t kview_edit_between(const struct kview_edit *e)
{
	const struct kview_region *old = e->text->region[e->idx], *new = e->region;
	bool was_small = old && old->ptes, is_small = new && new->ptes;

	if (was_small == is_small)
		return kview_region_pmd(e->idx, new);
	if (is_small)
		return old ? kview_region_small_pmd(e->idx, old) : kview_plain_pmd(e->idx);
	return new ? kview_region_small_pmd(e->idx, new) : kview_plain_pmd(e->idx);
}

static void kview_edits_show(const struct kview_edit *edit, unsigned int n, bool between)
{
	bool changed = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct kview_edit *e = &edit[i];
		struct kview_text *t = e->text;
		pmd_t pmd = between ? kview_edit_between(e) : kview_region_pmd(e->idx, e->region);

		t->checked = false;
		changed |= pmd_val(t->tables.pmd[e->idx]) != pmd_val(pmd);
		kview_tables_set(&t->tables, e->idx, pmd);
		/* nobody runs on the plain twin now */
		kview_tables_set(&t->plain, e->idx, e->region && e->region->ptes ?
				 kview_plain_pmd(e->idx) : kview_base_pmd(e->idx));
	}
	/* those of one text come together */
	for (i = 0; i < n && changed; i++)
		if (!i || edit[i].text != edit[i - 1].text)
			kview_text_flush(edit[i].text);
}

/* How many regions all of a view's texts can have changed by a set. */
static size_t kview_edits_max(struct kview_view *v, const struct kview_set *set)
{
	struct kview_text *t;
	size_t n = 0;
	u32 i, regions = 0;

	for (i = 0; i < set->nov; i++)
		regions += !i || set->ov[i].off >> PMD_SHIFT != set->ov[i - 1].off >> PMD_SHIFT;
	kview_for_each_text(v, t)
		n += regions;
	return n;
}

/**
 * kview_view_edit() - add a set's overrides to a view's texts, or take them out
 * @v:		the view
 * @set:	the set
 * @add:	add or take out
 *
 * Under kview_lock.  On error nothing has changed.
 */
int kview_view_edit(struct kview_view *v, struct kview_set *set, bool add)
{
	struct kview_edit *edit = kview_calloc(kview_edits_max(v, set), sizeof(*edit));
	bool fresh = false, shown = kview_view_shown(v);
	struct kview_text *t;
	unsigned int n = 0, i;
	int ret = 0;

	if (!edit)
		return -ENOMEM;
	kview_for_each_text(v, t) {
		ret = kview_edits_prepare(t, set, add, edit, &n);
		if (ret) {
			kview_edits_undo(edit, n);
			goto out;
		}
	}
	/* translations of the base's that a CPU would keep in the view */
	for (i = 0; i < n; i++)
		fresh |= edit[i].fresh;
	if (fresh)
		kview_flush_all();
	if (shown)
		kview_flip_begin(add);
	kview_edits_show(edit, n, true);
	kview_edits_show(edit, n, false);
	if (shown)
		kview_flip_end();
	for (i = 0; i < n; i++) {
		struct kview_region **region = &edit[i].text->region[edit[i].idx];

		kview_region_retire(*region);
		*region = edit[i].region;
		if (!edit[i].region)
			kview_base_global_put(edit[i].idx);
	}
out:
	kvfree(edit);
	return ret;
}
