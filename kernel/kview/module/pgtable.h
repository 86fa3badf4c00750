/* SPDX-License-Identifier: GPL-2.0 */
/* Base and private page tables. */
#ifndef KVIEW_MODULE_PGTABLE_H
#define KVIEW_MODULE_PGTABLE_H

#include <linux/pgtable.h>
#include <linux/types.h>

#include "symbols.h"

struct mm_struct;
struct page;

#define KVIEW_REGIONS	PTRS_PER_PMD		/* of 2 MiB, below one PUD entry */

struct kview_tables {
	p4d_t *p4d;				/* only with five levels */
	pud_t *pud;
	pmd_t *pmd;
};

int kview_pgtable_check(void);
pgd_t *kview_base_pgd(bool user);
pmd_t *kview_walk(pgd_t *pgd, unsigned long va);
int kview_tables_alloc(struct kview_tables *t);
void kview_tables_free(struct kview_tables *t);
void kview_tables_install(struct kview_tables *t, struct mm_struct *mm);
void kview_tables_remove(struct mm_struct *mm);
void kview_tables_set(struct kview_tables *t, unsigned int region, pmd_t pmd);
void kview_tables_check(const struct kview_tables *from, const struct kview_tables *to);
bool kview_cpu_in_view(void);
void kview_base_tables_load(void);
void kview_flush_all(void);
void kview_flush_mm(struct mm_struct *mm);
void kview_flush_later(struct mm_struct *mm);
pmd_t kview_base_pmd(unsigned int region);
pmd_t kview_plain_pmd(unsigned int region);
bool kview_base_huge(unsigned int region);
pmd_t kview_pmd_of_ptes(unsigned int region, pte_t *ptes);
pmd_t kview_pmd_of_pages(unsigned int region, struct page *pages);
void kview_fill_ptes(unsigned int region, pte_t *ptes);
pte_t kview_pte_of_page(pte_t base, struct page *page);
int kview_base_global_get(unsigned int region);
void kview_base_global_put(unsigned int region);
u8 *kview_base_text(unsigned long va);

static inline unsigned int kview_region_of(unsigned long va)
{
	return pmd_index(va);
}

static inline unsigned long kview_region_va(unsigned int region)
{
	return (kview_sym.text_start & PUD_MASK) + ((unsigned long)region << PMD_SHIFT);
}

/* Leaves the base's text Global, to prove that tests see it. */
extern bool kview_unsafe_keep_global;

#endif
