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
	struct kview_copy **copy;
	u32 ncopies;
	u32 nov;
	struct kview_ov ov[];
};

struct kview_region *kview_region_build(unsigned int idx, const struct kview_region *old,
					const struct kview_ov *delta, u32 n, bool add);
void kview_region_free(struct kview_region *r);
void kview_region_retire(struct kview_region *r);
pmd_t kview_region_pmd(unsigned int idx, const struct kview_region *r);

#endif
