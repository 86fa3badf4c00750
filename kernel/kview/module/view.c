// SPDX-License-Identifier: GPL-2.0
/*
 * A view: its text, and the way from a thunk's number to the sites.
 */
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "lock.h"
#include "lookup.h"
#include "memory.h"
#include "prog.h"
#include "retire.h"
#include "set.h"
#include "spot.h"
#include "view.h"

LIST_HEAD(kview_views);

struct kview_view *kview_view_create(void)
{
	struct kview_view *v = kview_calloc(1, sizeof(*v));
	unsigned int i;
	int ret;

	if (!v)
		return ERR_PTR(-ENOMEM);
	ret = kview_text_init(&v->text, false);
	if (ret) {
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
	kview_text_free(&v->text);
	list_for_each_entry_safe(left, next, &v->leftovers, node)
		left->free(left);
	for (i = 0; i < KVIEW_DIR; i++)
		if (v->dir[i] != kview_no_sites)
			free_page((unsigned long)v->dir[i]);
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
