// SPDX-License-Identifier: GPL-2.0
/*
 * A region is 2 MiB of a view's text: its overrides and the pages that hold
 * them.  A region is built aside and never changes once a view shows it; a change
 * builds a new one and swaps the PMD entry.  So there is nothing to patch while
 * processes run, and giving up half-way is freeing what was built.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "memory.h"
#include "pgtable.h"
#include "region.h"
#include "textcopy.h"

/*
 * From how many touched pages on a region becomes one 2 MiB page: with half of
 * them touched it costs at most another MiB and keeps the region in one
 * instruction-TLB entry, as in the base.
 */
static uint huge_min = PTRS_PER_PTE / 2;
module_param(huge_min, uint, 0600);
MODULE_PARM_DESC(huge_min, "touched 4 KiB pages from which a 2 MiB copy is used (513: never)");

#define KVIEW_HUGE_ORDER	(PMD_SHIFT - PAGE_SHIFT)

static bool kview_ov_equal(const struct kview_ov *a, const struct kview_ov *b)
{
	return a->off == b->off && a->len == b->len &&
	       !memcmp(a->byte, b->byte, sizeof(a->byte));
}

/* Both lists are sorted; so is the result.  -EBUSY: overlapping, not equal; or too many equal. */
static int kview_ov_merge(struct kview_region *r, const struct kview_region *old,
			  const struct kview_ov *delta, u32 n)
{
	const struct kview_ov *a = old ? old->ov : NULL, *a_end = old ? a + old->nov : NULL;
	const struct kview_ov *b = delta, *b_end = delta + n;
	struct kview_ov *last = NULL;

	while (a < a_end || b < b_end) {
		const struct kview_ov *take;

		if (b == b_end || (a < a_end && a->off <= b->off))
			take = a++;
		else
			take = b++;
		if (last && kview_ov_equal(last, take)) {
			if (last->refs > U16_MAX - take->refs)
				return -EBUSY;
			last->refs += take->refs;
			continue;
		}
		if (last && last->off + last->len > take->off)
			return -EBUSY;
		last = &r->ov[r->nov++];
		*last = *take;
	}
	return 0;
}

/* Every override of delta is in old: views remove only what they added. */
static void kview_ov_subtract(struct kview_region *r, const struct kview_region *old,
			      const struct kview_ov *delta, u32 n)
{
	const struct kview_ov *b = delta, *b_end = delta + n;
	u32 i;

	for (i = 0; i < old->nov; i++) {
		struct kview_ov ov = old->ov[i];

		while (b < b_end && b->off == ov.off) {
			ov.refs -= b->refs;
			b++;
		}
		if (ov.refs)
			r->ov[r->nov++] = ov;
	}
}

static u32 kview_touched_pages(const struct kview_region *r)
{
	u32 i, n = 0;

	for (i = 0; i < r->nov; i++)
		if (!i || r->ov[i].off >> PAGE_SHIFT != r->ov[i - 1].off >> PAGE_SHIFT)
			n++;
	return n;
}

static void kview_region_not_huge(struct kview_region *r)
{
	kvfree(r->copy);
	r->copy = NULL;
	free_page((unsigned long)r->split);
	r->split = NULL;
}

static int kview_region_map_huge(unsigned int idx, struct kview_region *r)
{
	unsigned int i;

	r->copy = kview_calloc(1, sizeof(*r->copy));
	r->split = kview_table_alloc();
	if (!r->copy || !r->split) {
		kview_region_not_huge(r);
		return -ENOMEM;
	}
	r->copy[0] = kview_copy_get(kview_region_va(idx), KVIEW_HUGE_ORDER, r->ov, r->nov,
				    idx << PMD_SHIFT);
	if (IS_ERR(r->copy[0])) {
		int ret = PTR_ERR(r->copy[0]);

		kview_region_not_huge(r);
		return ret;
	}
	r->ncopies = 1;
	kview_fill_ptes(idx, r->split);
	for (i = 0; i < PTRS_PER_PTE; i++)
		r->split[i] = kview_pte_of_page(r->split[i], r->copy[0]->pages + i);
	return 0;
}

static int kview_region_map_small(unsigned int idx, struct kview_region *r, u32 pages)
{
	u32 i, end;

	r->ptes = kview_table_alloc();
	r->copy = kview_calloc(pages, sizeof(*r->copy));
	if (!r->ptes || !r->copy)
		return -ENOMEM;
	kview_fill_ptes(idx, r->ptes);
	for (i = 0; i < r->nov; i = end) {
		u32 page = r->ov[i].off >> PAGE_SHIFT;
		struct kview_copy *c;
		pte_t *pte;

		for (end = i; end < r->nov && r->ov[end].off >> PAGE_SHIFT == page; end++)
			;
		c = kview_copy_get(kview_region_va(0) + ((unsigned long)page << PAGE_SHIFT), 0,
				   r->ov + i, end - i, page << PAGE_SHIFT);
		if (IS_ERR(c))
			return PTR_ERR(c);
		r->copy[r->ncopies++] = c;
		pte = &r->ptes[page % PTRS_PER_PTE];
		*pte = kview_pte_of_page(*pte, c->pages);
	}
	return 0;
}

struct kview_region *kview_region_list(const struct kview_region *old,
				       const struct kview_ov *delta, u32 n, bool add)
{
	struct kview_region *r;
	int ret = 0;

	r = kview_calloc(1, struct_size(r, ov, (old ? old->nov : 0) + (add ? n : 0)));
	if (!r)
		return ERR_PTR(-ENOMEM);
	if (add)
		ret = kview_ov_merge(r, old, delta, n);
	else
		kview_ov_subtract(r, old, delta, n);
	if (ret || !r->nov) {
		kvfree(r);
		return ERR_PTR(ret);
	}
	return r;
}

int kview_region_map(unsigned int idx, struct kview_region *r, bool small)
{
	u32 pages = kview_touched_pages(r);

	if (!small && pages >= huge_min && kview_base_huge(idx) && !kview_region_map_huge(idx, r))
		return 0;
	return kview_region_map_small(idx, r, pages);
}

/**
 * kview_region_build() - what a region becomes
 * @idx:	which 2 MiB
 * @old:	what it is, or NULL
 * @delta:	overrides to add or to remove, sorted
 * @n:		how many
 * @add:	add or remove
 * @small:	not as one page of 2 MiB
 *
 * Under kview_lock.  NULL: nothing is left that differs from the base.
 */
struct kview_region *kview_region_build(unsigned int idx, const struct kview_region *old,
					const struct kview_ov *delta, u32 n, bool add, bool small)
{
	struct kview_region *r = kview_region_list(old, delta, n, add);
	int ret;

	if (IS_ERR_OR_NULL(r))
		return r;
	ret = kview_region_map(idx, r, small);
	if (ret) {
		kview_region_free(r);
		return ERR_PTR(ret);
	}
	return r;
}

void kview_region_free(struct kview_region *r)
{
	u32 i;

	if (!r)
		return;
	for (i = 0; i < r->ncopies; i++)
		kview_copy_put(r->copy[i]);
	kvfree(r->copy);
	free_page((unsigned long)r->ptes);
	free_page((unsigned long)r->split);
	kvfree(r);
}

static void kview_region_retired(struct kview_retired *retired)
{
	kview_region_free(container_of(retired, struct kview_region, retired));
}

/* Under kview_lock, after the flush that took it from the view. */
void kview_region_retire(struct kview_region *r)
{
	if (r)
		kview_retire(&r->retired, kview_region_retired);
}

pmd_t kview_region_pmd(unsigned int idx, const struct kview_region *r)
{
	if (!r)
		return kview_base_pmd(idx);
	if (r->ptes)
		return kview_pmd_of_ptes(idx, r->ptes);
	return kview_pmd_of_pages(idx, r->copy[0]->pages);
}

pmd_t kview_region_small_pmd(unsigned int idx, const struct kview_region *r)
{
	return kview_pmd_of_ptes(idx, r->ptes ?: r->split);
}
