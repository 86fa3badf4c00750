// SPDX-License-Identifier: GPL-2.0
/*
 * A view: private page tables, the text that differs, and the way from a thunk's
 * number to the sites.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "pgtable.h"
#include "prog.h"
#include "region.h"
#include "retire.h"
#include "set.h"
#include "show.h"
#include "spot.h"
#include "symbols.h"
#include "tracepoint.h"
#include "view.h"

LIST_HEAD(kview_views);

struct kview_view *kview_view_create(void)
{
	struct kview_view *v = kview_calloc(1, sizeof(*v));
	unsigned int i;
	int ret;

	if (!v)
		return ERR_PTR(-ENOMEM);
	ret = kview_tables_alloc(&v->tables);
	if (!ret)
		ret = kview_tables_alloc(&v->plain);
	if (ret) {
		kview_tables_free(&v->tables);
		kvfree(v);
		return ERR_PTR(ret);
	}
	for (i = 0; i < KVIEW_DIR; i++)
		v->dir[i] = kview_no_sites;
	refcount_set(&v->refs, 1);
	INIT_LIST_HEAD(&v->sets);
	INIT_LIST_HEAD(&v->leftovers);
	INIT_LIST_HEAD(&v->attachments);
	mutex_init(&v->switching);
	mutex_lock(&kview_lock);
	list_add_tail(&v->node, &kview_views);
	mutex_unlock(&kview_lock);
	return v;
}

void kview_view_prepare(struct kview_view *v)
{
	bool shown;

	mutex_lock(&kview_lock);
	shown = v->nspaces;
	mutex_unlock(&kview_lock);
	if (shown)
		kview_flip_prepare();
	else
		kview_text_prepare();
}

void kview_view_get(struct kview_view *v)
{
	refcount_inc(&v->refs);
}

/* Under kview_lock.  The last reference is dropped when no process is left. */
void kview_view_put(struct kview_view *v)
{
	struct kview_retired *left, *next;
	unsigned int i;

	if (!refcount_dec_and_test(&v->refs))
		return;
	list_del(&v->node);
	for (i = 0; i < KVIEW_REGIONS; i++) {
		if (!v->region[i])
			continue;
		kview_region_free(v->region[i]);
		kview_base_global_put(i);
	}
	list_for_each_entry_safe(left, next, &v->leftovers, node)
		left->free(left);
	for (i = 0; i < KVIEW_DIR; i++)
		if (v->dir[i] != kview_no_sites)
			free_page((unsigned long)v->dir[i]);
	kview_tables_free(&v->tables);
	kview_tables_free(&v->plain);
	kview_identity_free(&v->who);
	kvfree(v);
}

/* Pages of the directory. */
unsigned int kview_view_leaves(const struct kview_view *v)
{
	unsigned int i, n = 0;

	for (i = 0; i < KVIEW_DIR; i++)
		n += v->dir[i] != kview_no_sites;
	return n;
}

static struct kview_site __rcu **kview_dir_slot(struct kview_view *v, const struct kview_site *site)
{
	u32 id = site->spot->id;

	return &v->dir[id >> KVIEW_LEAF_SHIFT][id & (KVIEW_LEAF - 1)];
}

/* Makes room for the set's sites in the directory. */
int kview_view_room(struct kview_view *v, const struct kview_set *set)
{
	u32 i;

	for (i = 0; i < set->nhooked; i++) {
		u32 d = set->hooked[i].spot->id >> KVIEW_LEAF_SHIFT;
		void *leaf;

		if (v->dir[d] != kview_no_sites)
			continue;
		leaf = kview_table_alloc();
		if (!leaf)
			return -ENOMEM;
		/* zeroed before the hook can see it */
		smp_store_release(&v->dir[d], leaf);
	}
	return 0;
}

/* Makes the hook find the set's sites, for which there is room. */
void kview_view_link(struct kview_view *v, struct kview_set *set)
{
	struct kview_site __rcu **slot;
	u32 i;

	for (i = 0; i < set->nhooked; i++) {
		slot = kview_dir_slot(v, &set->hooked[i]);
		RCU_INIT_POINTER(set->hooked[i].next, rcu_dereference_protected(*slot, true));
		kview_site_simplify(&set->hooked[i]);
		rcu_assign_pointer(*slot, &set->hooked[i]);
	}
	set->linked = true;
}

/* Whoever is first at the set's places may be called in another way now. */
void kview_view_simplify(struct kview_view *v, struct kview_set *set)
{
	u32 i;

	for (i = 0; i < set->nhooked; i++)
		kview_site_simplify(rcu_dereference_protected(*kview_dir_slot(v, &set->hooked[i]),
							      true));
}

/* The caller waits for RCU before it frees the set, or links it again. */
void kview_view_unlink(struct kview_view *v, struct kview_set *set)
{
	struct kview_site __rcu **slot;
	struct kview_site *site;
	u32 i;

	if (!set->linked)
		return;
	set->linked = false;
	for (i = 0; i < set->nhooked; i++) {
		slot = kview_dir_slot(v, &set->hooked[i]);
		while ((site = rcu_dereference_protected(*slot, true)) != &set->hooked[i])
			slot = &site->next;
		rcu_assign_pointer(*slot, rcu_dereference_protected(site->next, true));
		/* the one that is first now may be the only one now */
		site = rcu_dereference_protected(*kview_dir_slot(v, site), true);
		if (site)
			kview_site_simplify(site);
	}
}

/*
 * The set's places are, or are no more, those of a set that is switched off: calls there are
 * turned away, and that is no loss.  Under kview_lock.
 */
void kview_view_off(struct kview_set *set, bool off)
{
	u32 i;

	if (set->off == off)
		return;
	set->off = off;
	for (i = 0; i < set->nhooked; i++)
		WRITE_ONCE(set->hooked[i].spot->noff, set->hooked[i].spot->noff + (off ? 1 : -1));
}

/* One region's change: prepared, then swapped in, then the old one freed. */
struct kview_edit {
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

static int kview_edits_prepare(struct kview_view *v, const struct kview_set *set, bool add,
			       struct kview_edit *edit, unsigned int *n)
{
	u32 i, end;

	for (i = 0; i < set->nov; i = end) {
		struct kview_edit *e = &edit[*n];
		int ret;

		e->idx = set->ov[i].off >> PMD_SHIFT;
		for (end = i; end < set->nov && set->ov[end].off >> PMD_SHIFT == e->idx; end++)
			;
		if (add && !v->region[e->idx]) {
			ret = kview_base_global_get(e->idx);
			if (ret)
				return ret;
			e->fresh = true;
		}
		e->region = kview_region_build(e->idx, v->region[e->idx], set->ov + i, end - i,
					       add);
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

/* Sizes of pages and what they map change one after the other: see pgtable.c. */
enum { KVIEW_STEPS = 4 };

static void kview_edit_steps(const struct kview_view *v, const struct kview_edit *e, pmd_t *step)
{
	const struct kview_region *old = v->region[e->idx], *new = e->region;
	bool was_small = old && old->ptes, is_small = new && new->ptes;
	unsigned int n = 0;

	/* to 4 KiB, to the base's memory, to 2 MiB, or all of that backwards */
	if (was_small && !is_small)
		step[n++] = kview_plain_pmd(e->idx);
	if (was_small != is_small)
		step[n++] = kview_base_pmd(e->idx);
	if (is_small && !was_small)
		step[n++] = kview_plain_pmd(e->idx);
	while (n < KVIEW_STEPS)
		step[n++] = kview_region_pmd(e->idx, new);
}

/* Does everybody in the view have all of the text that it had, at each step? */
static bool kview_edits_enter(const struct kview_view *v, const struct kview_edit *edit,
			      unsigned int n, bool add)
{
	const struct kview_region *old;
	unsigned int i;

	for (i = 0; i < n && add; i++) {
		old = v->region[edit[i].idx];
		add = !old || !old->ptes == !edit[i].region->ptes;
	}
	return add;
}

static void kview_edits_show(struct kview_view *v, const struct kview_edit *edit, unsigned int n)
{
	pmd_t step[KVIEW_STEPS];
	unsigned int i, s;
	bool changed;

	v->checked = false;
	for (s = 0; s < KVIEW_STEPS; s++) {
		changed = false;
		for (i = 0; i < n; i++) {
			unsigned int idx = edit[i].idx;

			kview_edit_steps(v, &edit[i], step);
			changed |= pmd_val(v->tables.pmd[idx]) != pmd_val(step[s]);
			kview_tables_set(&v->tables, idx, step[s]);
			/* nobody runs on the plain twin now */
			kview_tables_set(&v->plain, idx, edit[i].region && edit[i].region->ptes ?
					 kview_plain_pmd(idx) : kview_base_pmd(idx));
		}
		if (changed && v->nspaces)
			kview_spaces_flush(v);
	}
}

/**
 * kview_view_edit() - add a set's overrides to a view's text, or take them out
 * @v:		the view
 * @set:	the set
 * @add:	add or take out
 *
 * Under kview_lock.  The new text is built aside and swapped in, region by
 * region; every CPU runs it when this returns.  On error nothing has changed.
 */
int kview_view_edit(struct kview_view *v, struct kview_set *set, bool add)
{
	struct kview_edit *edit = kview_calloc(KVIEW_REGIONS, sizeof(*edit));
	bool fresh = false;
	unsigned int n = 0, i;
	int ret;

	if (!edit)
		return -ENOMEM;
	ret = kview_edits_prepare(v, set, add, edit, &n);
	if (ret) {
		kview_edits_undo(edit, n);
		goto out;
	}
	/* translations of the base's that a CPU would keep in the view */
	for (i = 0; i < n; i++)
		fresh |= edit[i].fresh;
	if (fresh)
		kview_flush_all();
	if (v->nspaces)
		kview_flip_begin(kview_edits_enter(v, edit, n, add));
	kview_edits_show(v, edit, n);
	if (v->nspaces)
		kview_flip_end();
	for (i = 0; i < n; i++) {
		kview_region_retire(v->region[edit[i].idx]);
		v->region[edit[i].idx] = edit[i].region;
		if (!edit[i].region)
			kview_base_global_put(edit[i].idx);
	}
out:
	kvfree(edit);
	return ret;
}
