/* SPDX-License-Identifier: GPL-2.0 */
/* 2 MiB of a view's text, immutable once in the page tables. */
#ifndef KVIEW_MODULE_REGION_H
#define KVIEW_MODULE_REGION_H

#include <linux/pgtable.h>
#include <linux/types.h>

#include "retire.h"
#include "textcopy.h"

struct kview_region {
	struct kview_retired retired;
	pte_t *ptes;			/* NULL: one copy of 2 MiB */
	pte_t *split;			/* that copy in 4 KiB pages */
	struct kview_copy **copy;	/* held, @ncopies of them */
	u32 ncopies;
	u32 nov;
	struct kview_ov ov[];		/* sorted */
};

/* All under kview_lock. */

/*
 * What region @idx becomes when @n overrides, sorted and all within it, are added to @old or taken
 * out; @old may be NULL, and stays.  @small: not as one page of 2 MiB.  NULL: nothing is left that
 * differs from the base.  The caller's: kview_region_free() if no view ever showed it, else
 * kview_region_retire().  Takes text_mutex, and sleeps.  -ENOMEM; -EBUSY: an override overlaps
 * another, or 65535 sets want it already, or somebody has a kprobe there.
 */
struct kview_region *kview_region_build(unsigned int idx, const struct kview_region *old,
					const struct kview_ov *delta, u32 n, bool add, bool small);

/*
 * The same in two steps, so that several lists are merged before any page is copied: the overrides
 * alone, and then its pages.  On error of the second the region is still to be freed.
 */
struct kview_region *kview_region_list(const struct kview_region *old,
				       const struct kview_ov *delta, u32 n, bool add);
int kview_region_map(unsigned int idx, struct kview_region *r, bool small);

/* Frees it at once; no CPU may have it.  NULL is fine. */
void kview_region_free(struct kview_region *r);
/* Frees it a grace period later, after the flush that took it from its view.  NULL is fine. */
void kview_region_retire(struct kview_region *r);

/* The entry that shows it; with NULL, the base's. */
pmd_t kview_region_pmd(unsigned int idx, const struct kview_region *r);
/* The same memory in 4 KiB pages. */
pmd_t kview_region_small_pmd(unsigned int idx, const struct kview_region *r);

#endif
