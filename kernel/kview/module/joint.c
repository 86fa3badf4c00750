// SPDX-License-Identifier: GPL-2.0
/* Texts of address spaces that are in several views: joint.h says how that goes. */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "joint.h"
#include "lookup.h"
#include "memory.h"
#include "pgtable.h"
#include "region.h"
#include "retire.h"
#include "text.h"
#include "view.h"

struct kview_joint {
	struct kview_retired retired;
	struct list_head node;		/* in kview_joints, while somebody may come */
	struct kview_text text;
	struct kview_tables step[2];	/* see kview_joint_steps() */
	struct kview_view *maker;	/* one of: */
	u32 n;
	struct kview_view *view[KVIEW_VIEWS_MAX];	/* held, sorted */
};

static LIST_HEAD(kview_joints);

static struct kview_joint *kview_joint_of(const struct kview_text *t)
{
	return container_of(t, struct kview_joint, text);
}

static void kview_joint_free(struct kview_joint *j)
{
	u32 i;

	kview_text_free(&j->text);
	for (i = 0; i < ARRAY_SIZE(j->step); i++)
		kview_tables_free(&j->step[i]);
	for (i = 0; i < j->n; i++)
		kview_view_put(j->view[i]);
	kvfree(j);
}

static void kview_joint_retired(struct kview_retired *retired)
{
	kview_joint_free(container_of(retired, struct kview_joint, retired));
}

/* Adds to one region what a view has there. */
static int kview_joint_merge(struct kview_text *t, unsigned int idx, const struct kview_region *add)
{
	struct kview_region *old = t->region[idx], *new;
	int ret;

	if (!old) {
		/* the view has done so: nothing is to be flushed for it */
		ret = kview_base_global_get(idx);
		if (ret)
			return ret;
	}
	new = kview_region_build(idx, old, add->ov, add->nov, true, true);
	if (IS_ERR(new)) {
		if (!old)
			kview_base_global_put(idx);
		return PTR_ERR(new);
	}
	kview_region_free(old);		/* nobody has run it */
	t->region[idx] = new;
	return 0;
}

static int kview_joint_fill(struct kview_joint *j)
{
	struct kview_text *t = &j->text;
	unsigned int idx;
	int ret = 0;
	u32 i;

	for (i = 0; i < j->n; i++)
		for (idx = 0; idx < KVIEW_REGIONS && !ret; idx++)
			if (j->view[i]->text.region[idx])
				ret = kview_joint_merge(t, idx, j->view[i]->text.region[idx]);
	for (idx = 0; idx < KVIEW_REGIONS && !ret; idx++)
		if (t->region[idx]) {
			/* nobody is on either of them: no step is needed */
			WRITE_ONCE(t->tables.pmd[idx], kview_region_pmd(idx, t->region[idx]));
			WRITE_ONCE(t->plain.pmd[idx], kview_plain_pmd(idx));
		}
	return ret;
}

static struct kview_joint *kview_joint_new(struct kview_view **view, u32 n,
					   struct kview_view *maker)
{
	struct kview_joint *j = kview_calloc(1, sizeof(*j));
	u32 i;
	int ret;

	if (!j)
		return ERR_PTR(-ENOMEM);
	ret = kview_text_init(&j->text, true);
	if (ret) {
		kvfree(j);
		return ERR_PTR(ret);
	}
	for (i = 0; i < n; i++) {
		kview_view_get(view[i]);
		j->view[i] = view[i];
	}
	j->n = n;
	j->maker = maker;
	for (i = 0; i < ARRAY_SIZE(j->step) && !ret; i++)
		ret = kview_tables_alloc(&j->step[i]);
	if (!ret)
		ret = kview_joint_fill(j);
	if (ret) {
		kview_joint_free(j);
		return ERR_PTR(ret == -EBUSY ? -EADDRNOTAVAIL : ret);
	}
	list_add_tail(&j->node, &kview_joints);
	return j;
}

static int kview_view_cmp(const void *a, const void *b)
{
	const struct kview_view *const *x = a, *const *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct kview_text *kview_joint_get(struct kview_view **view, u32 n)
{
	struct kview_view *sorted[KVIEW_VIEWS_MAX];
	struct kview_joint *j;

	if (n == 1)
		return &view[0]->text;
	memcpy(sorted, view, n * sizeof(*view));
	sort(sorted, n, sizeof(*sorted), kview_view_cmp, NULL);
	list_for_each_entry(j, &kview_joints, node)
		if (j->n == n && !memcmp(j->view, sorted, n * sizeof(*sorted)))
			return &j->text;
	j = kview_joint_new(sorted, n, view[n - 1]);
	return IS_ERR(j) ? ERR_CAST(j) : &j->text;
}

void kview_joint_release(struct kview_text *t)
{
	struct kview_joint *j = kview_joint_of(t);

	if (!t->joint || kview_text_shown(t))
		return;
	list_del(&j->node);
	kview_retire(&j->retired, kview_joint_retired);
}

struct kview_tables *kview_joint_steps(struct kview_text *a, struct kview_text *b)
{
	return kview_joint_of(a->joint ? a : b)->step;
}

static bool kview_text_has(const struct kview_text *t, const struct kview_view *v)
{
	const struct kview_joint *j = kview_joint_of(t);
	u32 i;

	if (!t->joint)
		return t == &v->text;
	for (i = 0; i < j->n; i++)
		if (j->view[i] == v)
			return true;
	return false;
}

bool kview_joint_covers(const struct kview_text *t, const struct kview_text *u)
{
	const struct kview_joint *j = kview_joint_of(u);
	u32 i;

	if (!u->joint)
		return kview_text_has(t, container_of(u, struct kview_view, text));
	for (i = 0; i < j->n; i++)
		if (!kview_text_has(t, j->view[i]))
			return false;
	return true;
}

struct kview_text *kview_joint_next(const struct kview_view *v, const struct kview_text *t)
{
	struct list_head *node = t ? &kview_joint_of(t)->node : &kview_joints;
	struct kview_joint *j;

	for (node = node->next; node != &kview_joints; node = node->next) {
		j = list_entry(node, struct kview_joint, node);
		if (kview_text_has(&j->text, v))
			return &j->text;
	}
	return NULL;
}

bool kview_joint_made_by(const struct kview_text *t, const struct kview_view *v)
{
	return kview_joint_of(t)->maker == v;
}
