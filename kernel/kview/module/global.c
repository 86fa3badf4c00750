// SPDX-License-Identifier: GPL-2.0
/*
 * The Global bit: the only thing that the module changes in the base's page tables.
 *
 * The base maps text with Global entries, which survive a switch of page tables: a CPU
 * would go on using the base's translation inside the view.  So Global is cleared on the
 * base's entries of those 2 MiB regions that some view changes, and set again when no
 * view does.
 */
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "memory.h"
#include "pgtable.h"
#include "retire.h"

/* Where Global was cleared, to set it again: [0] the kernel's table, [1] PTI's. */
struct kview_global {
	struct kview_retired retired;
	unsigned int users;
	pte_t *plain;
	bool leaf[2];
	DECLARE_BITMAP(pte[2], PTRS_PER_PTE);
};

static struct kview_global *kview_globals[KVIEW_REGIONS];

static void kview_global_clear(struct kview_global *g, unsigned int half, pmd_t *pmd)
{
	unsigned int i;
	pte_t *pte;

	if (pmd_leaf(*pmd)) {
		g->leaf[half] = pmd_val(*pmd) & _PAGE_GLOBAL;
		WRITE_ONCE(*pmd, __pmd(pmd_val(*pmd) & ~_PAGE_GLOBAL));
		return;
	}
	pte = (pte_t *)pmd_page_vaddr(*pmd);
	for (i = 0; i < PTRS_PER_PTE; i++)
		if (pte_present(pte[i]) && pte_val(pte[i]) & _PAGE_GLOBAL) {
			__set_bit(i, g->pte[half]);
			WRITE_ONCE(pte[i], __pte(pte_val(pte[i]) & ~_PAGE_GLOBAL));
		}
}

static void kview_global_set(struct kview_global *g, unsigned int half, pmd_t *pmd)
{
	unsigned int i;
	pte_t *pte;

	if (pmd_leaf(*pmd)) {
		if (g->leaf[half])
			WRITE_ONCE(*pmd, __pmd(pmd_val(*pmd) | _PAGE_GLOBAL));
		return;
	}
	pte = (pte_t *)pmd_page_vaddr(*pmd);
	for_each_set_bit(i, g->pte[half], PTRS_PER_PTE)
		WRITE_ONCE(pte[i], __pte(pte_val(pte[i]) | _PAGE_GLOBAL));
}

static void kview_global_both(struct kview_global *g, unsigned int region,
			      void (*fn)(struct kview_global *g, unsigned int half, pmd_t *pmd))
{
	unsigned int half;

	/*
	 * PTI without PCID clones Global kernel text into the user half's tables,
	 * one set for all processes.
	 */
	for (half = 0; half <= (boot_cpu_has(X86_FEATURE_PTI) ? 1 : 0); half++) {
		pmd_t *pmd = kview_walk(kview_base_pgd(half), kview_region_va(region));

		if (pmd && !pmd_none(*pmd))
			fn(g, half, pmd);
	}
}

/* Under kview_lock; the caller calls kview_flush_all() before anyone runs the view. */
int kview_base_global_get(unsigned int region)
{
	struct kview_global *g = kview_globals[region];

	if (!g) {
		g = kview_zalloc(sizeof(*g));
		if (!g)
			return -ENOMEM;
		g->plain = kview_table_alloc();
		if (!g->plain) {
			kfree(g);
			return -ENOMEM;
		}
		kview_fill_ptes(region, g->plain);
		kview_globals[region] = g;
		if (!kview_unsafe_keep_global)
			kview_global_both(g, region, kview_global_clear);
	}
	g->users++;
	return 0;
}

static void kview_global_retired(struct kview_retired *retired)
{
	struct kview_global *g = container_of(retired, struct kview_global, retired);

	free_page((unsigned long)g->plain);
	kfree(g);
}

/* The base's own text of a region that some view changes, mapped by 4 KiB pages. */
pmd_t kview_plain_pmd(unsigned int region)
{
	return kview_pmd_of_ptes(region, kview_globals[region]->plain);
}

/* Under kview_lock, after the flush that took the region from the last view. */
void kview_base_global_put(unsigned int region)
{
	struct kview_global *g = kview_globals[region];

	if (--g->users)
		return;
	kview_global_both(g, region, kview_global_set);
	kview_globals[region] = NULL;
	kview_retire(&g->retired, kview_global_retired);
}
