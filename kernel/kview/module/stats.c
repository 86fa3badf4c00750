// SPDX-License-Identifier: GPL-2.0
/* Figures about the module and about one view. */
#include <linux/atomic.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "kview.h"
#include "attach.h"
#include "counters.h"
#include "joint.h"
#include "lock.h"
#include "pgtable.h"
#include "region.h"
#include "return.h"
#include "set.h"
#include "space.h"
#include "spot.h"
#include "stats.h"
#include "text.h"
#include "textcopy.h"
#include "view.h"

void kview_stat_fill(struct kview_stat *st)
{
	struct kview_view *v;
	unsigned int cpu;

	memset(st, 0, sizeof(*st));
	mutex_lock(&kview_lock);
	list_for_each_entry(v, &kview_views, node)
		st->views++;
	mutex_unlock(&kview_lock);
	st->processes = kview_space_count();
	st->spots = kview_spot_count();
	st->text_copies = kview_copy_count();
	for_each_possible_cpu(cpu) {
		const struct kview_counters *c = &per_cpu(kview_counters, cpu);

		st->rejected_kthread += c->kthread;
		st->rejected_irq += c->irq;
		st->rejected_nested += c->nested;
		st->rejected_left += c->left;
		st->rejected_elsewhere += c->elsewhere;
		st->chained += c->chained;
		st->escaped += c->escaped;
	}
	st->mirrored = atomic64_read(&kview_mirrored);
	st->detach_ns = kview_detach_ns;
}

static void kview_region_stat(const struct kview_region *r, struct kview_view_stat *st)
{
	u32 i;

	st->regions++;
	st->memory += struct_size(r, ov, r->nov) + r->ncopies * sizeof(r->copy[0]);
	st->table_pages++;
	if (!r->ptes)
		st->regions_huge++;
	for (i = 0; i < r->ncopies; i++) {
		st->text_pages += 1U << r->copy[i]->order;
		if (r->copy[i]->refs > 1)
			st->text_pages_shared += 1U << r->copy[i]->order;
		st->memory += struct_size(r->copy[i], ov, r->copy[i]->nov);
	}
}

u64 kview_set_memory(const struct kview_set *set)
{
	u64 sum = sizeof(*set) + kview_returns_memory(set);

	sum += set->nhooked * (sizeof(*set->hooked) + sizeof(struct kview_spot));
	sum += set->owner ? set->nowners * sizeof(*set->owner) : 0;
	sum += set->nov * sizeof(*set->ov) + set->nsites * sizeof(*set->tps);
	return sum + (u64)set->nsites * sizeof(u64) * (num_possible_cpus() + KVIEW_LOSS_KINDS);
}

static void kview_set_stat(const struct kview_set *set, struct kview_view_stat *st)
{
	st->sets++;
	st->sites += set->nsites;
	st->memory += kview_set_memory(set);
}

/* Of joint texts that the view made necessary; copies that others have, too, are counted here. */
static u64 kview_joints_memory(const struct kview_view *v)
{
	const struct kview_text *t;
	u64 sum = 0;
	u32 i, pages;

	for (t = kview_joint_next(v, NULL); t; t = kview_joint_next(v, t)) {
		struct kview_view_stat st = {};

		if (!kview_joint_made_by(t, v))
			continue;
		for (i = 0; i < KVIEW_REGIONS; i++)
			if (t->region[i])
				kview_region_stat(t->region[i], &st);
		/* two twins and two steps between texts */
		pages = st.text_pages + st.table_pages + 4 * (2 + !!t->tables.p4d);
		sum += sizeof(*t) + st.memory + ((u64)pages << PAGE_SHIFT);
	}
	return sum;
}

/* Under kview_lock. */
void kview_view_stat_fill(struct kview_view *v, struct kview_view_stat *st)
{
	struct kview_set *set;
	unsigned int i;

	memset(st, 0, sizeof(*st));
	st->processes = v->nspaces;
	st->create_ns = v->create_ns;
	st->destroy_ns = v->destroy_ns;
	st->table_pages = 2 * (2 + !!v->text.tables.p4d);
	for (i = 0; i < KVIEW_REGIONS; i++)
		if (v->text.region[i])
			kview_region_stat(v->text.region[i], st);
	st->memory += kview_joints_memory(v);
	st->memory += (u64)kview_view_leaves(v) << PAGE_SHIFT;
	list_for_each_entry(set, &v->sets, node)
		kview_set_stat(set, st);
	st->memory += sizeof(*v) + ((u64)(st->text_pages + st->table_pages) << PAGE_SHIFT);
}
