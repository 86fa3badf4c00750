// SPDX-License-Identifier: GPL-2.0
/* Texts of address spaces that are in several views: joint.h says how that goes. */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "attach.h"
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

/* What all of its views have in one region; NULL: nothing. */
static struct kview_region *kview_joint_region(const struct kview_joint *j, unsigned int idx)
{
	struct kview_region *r = NULL, *more;
	int ret;
	u32 i;

	for (i = 0; i < j->n; i++) {
		const struct kview_region *add = j->view[i]->text.region[idx];

		if (!add)
			continue;
		more = kview_region_list(r, add->ov, add->nov, true);
		kview_region_free(r);
		if (IS_ERR(more))
			return more;
		r = more;
	}
	ret = r ? kview_region_map(idx, r, true) : 0;
	if (!ret)
		return r;
	kview_region_free(r);
	return ERR_PTR(ret);
}

static int kview_joint_fill(struct kview_joint *j)
{
	struct kview_text *t = &j->text;
	unsigned int idx;
	int ret;

	for (idx = 0; idx < KVIEW_REGIONS; idx++) {
		struct kview_region *r = kview_joint_region(j, idx);

		if (IS_ERR(r))
			return PTR_ERR(r);
		if (!r)
			continue;
		/* a view has done so: nothing is to be flushed for it */
		ret = kview_base_global_get(idx);
		if (ret) {
			kview_region_free(r);
			return ret;
		}
		t->region[idx] = r;
		/* nobody is on either of them: no step is needed */
		WRITE_ONCE(t->tables.pmd[idx], kview_region_pmd(idx, r));
		WRITE_ONCE(t->plain.pmd[idx], kview_plain_pmd(idx));
	}
	return 0;
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

/* The text, if it is there already; and the views in the order in which they are compared. */
static struct kview_text *kview_joint_find(struct kview_view **view, u32 n,
					   struct kview_view **sorted)
{
	struct kview_joint *j;

	if (n == 1)
		return &view[0]->text;
	memcpy(sorted, view, n * sizeof(*view));
	sort(sorted, n, sizeof(*sorted), kview_view_cmp, NULL);
	list_for_each_entry(j, &kview_joints, node)
		if (j->n == n && !memcmp(j->view, sorted, n * sizeof(*sorted)))
			return &j->text;
	return NULL;
}

bool kview_joint_exists(struct kview_view **view, u32 n)
{
	struct kview_view *sorted[KVIEW_VIEWS_MAX];

	return kview_joint_find(view, n, sorted);
}

struct kview_text *kview_joint_get(struct kview_view **view, u32 n)
{
	struct kview_view *sorted[KVIEW_VIEWS_MAX];
	struct kview_text *t = kview_joint_find(view, n, sorted);
	struct kview_joint *j;

	if (t)
		return t;
	j = kview_joint_new(sorted, n, view[n - 1]);
	return IS_ERR(j) ? ERR_CAST(j) : &j->text;
}

/*
 * Is somebody about to join one of its views?  Who does holds the attachment, which else its file
 * and its address spaces do.  Some others hold one for a moment, too; that does no harm.
 */
static bool kview_joint_awaits(const struct kview_joint *j)
{
	const struct kview_attachment *att;
	u32 i;

	for (i = 0; i < j->n; i++)
		list_for_each_entry(att, &j->view[i]->attachments, node)
			if (refcount_read(&att->refs) > att->nspaces + 1)
				return true;
	return false;
}

void kview_joint_release(struct kview_text *t)
{
	struct kview_joint *j = kview_joint_of(t);

	if (!t->joint || kview_text_shown(t) || kview_joint_awaits(j))
		return;
	list_del(&j->node);
	kview_retire(&j->retired, kview_joint_retired);
}

void kview_joints_trim(void)
{
	struct kview_joint *j, *next;

	list_for_each_entry_safe(j, next, &kview_joints, node)
		kview_joint_release(&j->text);
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
