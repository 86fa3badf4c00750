/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Base and private page tables.  A region is a number, of 2 MiB below the kernel image's PUD entry:
 * 0..KVIEW_REGIONS-1.  Where nothing else is said, functions are called under kview_lock, do not
 * sleep and cannot fail.
 */
#ifndef KVIEW_MODULE_PGTABLE_H
#define KVIEW_MODULE_PGTABLE_H

#include <linux/pgtable.h>
#include <linux/types.h>

#include "symbols.h"

struct mm_struct;
struct page;

#define KVIEW_REGIONS	PTRS_PER_PMD		/* of 2 MiB, below one PUD entry */

/* The pages of one view's tables; all NULL: none. */
struct kview_tables {
	p4d_t *p4d;				/* only with five levels */
	pud_t *pud;
	pmd_t *pmd;
};

/* At loading, with symbols.  -EOPNOTSUPP: views can't be had here; the log says why. */
int kview_pgtable_check(void);

/*
 * The base's PGD entry for kernel text, or its twin in the user half (with PTI alone); and the PMD
 * entry that leads to an address, NULL: none.  The entries themselves, not copies.  Any context.
 */
pgd_t *kview_base_pgd(bool user);
pmd_t *kview_walk(pgd_t *pgd, unsigned long va);

/*
 * Fills @t with tables that map what the base maps.  No lock needed; sleeps.  -ENOMEM: @t is all
 * NULL.  The second frees them, also when there are none: no CPU may have them any more.
 */
int kview_tables_alloc(struct kview_tables *t);
void kview_tables_free(struct kview_tables *t);

/*
 * Puts an mm on private tables, or back on the base's, by one store.  The caller flushes it.
 * Between kview_flip_begin() and kview_flip_end(), where others run in it.
 */
void kview_tables_install(struct kview_tables *t, struct mm_struct *mm);
void kview_tables_remove(struct mm_struct *mm);

/* Changes one region, by one store.  The caller flushes whoever runs on the tables. */
void kview_tables_set(struct kview_tables *t, unsigned int region, pmd_t pmd);

/* Warns, in a test build, where an mm may not go from one to the other in one step; NULL: base. */
void kview_tables_check(const struct kview_tables *from, const struct kview_tables *to);

/* Is this CPU on private tables?  With preemption off, and no lock. */
bool kview_cpu_in_view(void);

/*
 * Loads init_mm's tables, until this CPU next switches address spaces.  Any context but NMI, with
 * preemption off; no lock.
 */
void kview_base_tables_load(void);

/* Flushes all CPUs, Global entries too.  Sleeps; not under text_mutex. */
void kview_flush_all(void);

/*
 * Flushes an mm: when this returns no CPU has its old translations, and none that merely borrowed
 * it has it; but one that is just leaving it can be on the old tables for a moment, see
 * kview_retire().  Interrupts on; preemption may be off, and no lock is needed.
 */
void kview_flush_mm(struct mm_struct *mm);

/* The same, when no CPU has the mm loaded: whoever loads it next flushes.  Any context. */
void kview_flush_later(struct mm_struct *mm);

/*
 * The entry with which a view shows a region as the base has it, and with 4 KiB pages in place of
 * one of 2 MiB.  The second is for regions that kview_base_global_get() was called for.
 */
pmd_t kview_base_pmd(unsigned int region);
pmd_t kview_plain_pmd(unsigned int region);

/* Can the region be mapped by one private 2 MiB page? */
bool kview_base_huge(unsigned int region);

/* Entries for private memory, with the base's rights: a page of 512 entries, or 2 MiB. */
pmd_t kview_pmd_of_ptes(unsigned int region, pte_t *ptes);
pmd_t kview_pmd_of_pages(unsigned int region, struct page *pages);

/* Fills a page of 512 entries with what the base maps there. */
void kview_fill_ptes(unsigned int region, pte_t *ptes);
/* An entry like @base, for another page. */
pte_t kview_pte_of_page(pte_t base, struct page *page);

/*
 * Takes Global off the base's entries for a region, for the first of its users; the last one sets
 * it again.  After the first, kview_flush_all() must come before anybody runs a view that changes
 * the region; before the second, the flush that took the change from the last one.  The first
 * sleeps.  -ENOMEM: nothing is changed.
 */
int kview_base_global_get(unsigned int region);
void kview_base_global_put(unsigned int region);

/*
 * Where to read base text, whatever tables this CPU is on; never to be written to.  Any context, no
 * lock; under text_mutex nobody is changing it.
 */
u8 *kview_base_text(unsigned long va);

/* An address's region, and a region's first address. */
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
