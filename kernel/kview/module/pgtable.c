// SPDX-License-Identifier: GPL-2.0
/*
 * Page tables: a view's private ones, and the one bit touched in the base.
 *
 * With CONFIG_RANDOMIZE_BASE the kernel image has a PUD entry (1 GiB) to itself;
 * modules and fixmap lie under the next.  A view therefore needs one page at
 * each level from the PGD's last entry down to the text that differs:
 *
 *	mm->pgd			base			private
 *	+-----+
 *	| 511 |--.  attached?   +----- PUD page ---+	+----- PUD page ---+
 *	+-----+   `-- no -----> | ..               |	| ..  (as base)    |
 *		  `-- yes -.	| 510 kernel image |-.	| 510 kernel image |-.
 *			    `---| 511 modules ...  | |  | 511 (as base)    | |
 *			     |	+------------------+ |	+------------------+ |
 *			     `------------------------------^		     |
 *						     v			     v
 *				+----- PMD page ---+	+----- PMD page ---+
 *				| text  2 MiB leaf |	| text -> PTE page |--> 512 PTEs
 *				| text  2 MiB leaf |	| text -> 2M copy  |
 *				| data ...         |	| data (as base)   |
 *				+------------------+	+------------------+
 *
 * With five levels there is one more page above (PGD 511 -> P4D 511 -> PUD page).
 *
 * A view's own entries are never Global; the base's are not, where views differ: global.c.
 * The base mapping is never split.
 *
 * The size of a page and what it maps never change at once: some processors answer with a
 * machine check when they have the one translation and fetch by the other (itlb_multihit).
 * A region goes from the base's 2 MiB to a view's 4 KiB pages by way of a plain table,
 * 4 KiB pages of the base's own memory, with a flush after each step; and a view has a
 * plain twin, by way of which running processes come and go.
 */
#define pr_fmt(fmt) "kview: " fmt

#include <linux/cpu.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/tlbflush.h>

#include "memory.h"
#include "pgtable.h"
#include "retire.h"
#include "symbols.h"

bool kview_unsafe_keep_global;
kview_test_param(unsafe_keep_global, kview_unsafe_keep_global, bool, 0400,
		 "leave the base's text mapping Global");

static bool kview_spare_lazy;
kview_test_param(spare_lazy, kview_spare_lazy, bool, 0600,
		 "flush as hypervisors do: who has borrowed the memory is not interrupted");

pgd_t *kview_base_pgd(bool user)
{
	pgd_t *pgd = pgd_offset_pgd(kview_sym.init_mm->pgd, kview_sym.text_start);

	/* with PTI the user half's PGD is the page after the kernel's */
	return user ? (pgd_t *)((unsigned long)pgd | PAGE_SIZE) : pgd;
}

pmd_t *kview_walk(pgd_t *pgd, unsigned long va)
{
	p4d_t *p4d;
	pud_t *pud;

	if (pgd_none(*pgd))
		return NULL;
	p4d = p4d_offset(pgd, va);
	if (p4d_none(*p4d))
		return NULL;
	pud = pud_offset(p4d, va);
	if (pud_none(*pud) || pud_leaf(*pud))
		return NULL;
	return pmd_offset(pud, va);
}

/* Base text as data, whatever view this CPU runs in: through the direct map. */
u8 *kview_base_text(unsigned long va)
{
	return (u8 *)lm_alias((void *)va);
}

int kview_pgtable_check(void)
{
	unsigned long start = kview_sym.text_start, last = kview_sym.text_end - 1;
	pmd_t *pmd = kview_walk(kview_base_pgd(false), start);

	if (boot_cpu_has(X86_FEATURE_XENPV) || kview_pretend_missing("native-tables")) {
		pr_err("a Xen PV guest's page tables are not its own\n");
		return -EOPNOTSUPP;
	}
	if (KERNEL_IMAGE_SIZE != PUD_SIZE) {
		pr_err("the kernel image shares its PUD entry with modules (no RANDOMIZE_BASE)\n");
		return -EOPNOTSUPP;
	}
	if ((start & PUD_MASK) != (last & PUD_MASK) || !pmd || kview_pretend_missing("layout")) {
		pr_err("kernel text is not mapped by PMD entries below one PUD entry\n");
		return -EOPNOTSUPP;
	}
	return 0;
}

static pmd_t *kview_base_pmds(void)
{
	return kview_walk(kview_base_pgd(false), kview_region_va(0));
}

/* As it is in a view: never Global. */
pmd_t kview_base_pmd(unsigned int region)
{
	pmd_t pmd = kview_base_pmds()[region];

	return pmd_leaf(pmd) && !kview_unsafe_keep_global ?
	       __pmd(pmd_val(pmd) & ~_PAGE_GLOBAL) : pmd;
}

static unsigned long kview_pfn(pmd_t pmd, unsigned int i)
{
	return pmd_leaf(pmd) ? pmd_pfn(pmd) + i : pte_pfn(((pte_t *)pmd_page_vaddr(pmd))[i]);
}

static void kview_step_check(pmd_t from, pmd_t to)
{
	unsigned int i;

	if (!KVIEW_TESTING || pmd_leaf(from) == pmd_leaf(to))
		return;
	for (i = 0; i < PTRS_PER_PTE; i++)
		if (WARN_ON_ONCE(kview_pfn(from, i) != kview_pfn(to, i)))
			return;
}

/* In a test build: may an mm be moved from one to the other?  NULL is the base. */
void kview_tables_check(const struct kview_tables *from, const struct kview_tables *to)
{
	const pmd_t *a = from ? from->pmd : kview_base_pmds();
	const pmd_t *b = to ? to->pmd : kview_base_pmds();
	unsigned int i;

	if (!KVIEW_TESTING)
		return;
	for (i = 0; i < PTRS_PER_PMD; i++)
		if (pmd_val(a[i]) != pmd_val(b[i]) && pmd_present(a[i]) && pmd_present(b[i]))
			kview_step_check(a[i], b[i]);
}

/* One entry.  The caller flushes. */
void kview_tables_set(struct kview_tables *t, unsigned int region, pmd_t pmd)
{
	kview_step_check(t->pmd[region], pmd);
	WRITE_ONCE(t->pmd[region], pmd);
}

/* Can the region be mapped by one private 2 MiB page? */
bool kview_base_huge(unsigned int region)
{
	pmd_t pmd = kview_base_pmd(region);

	return pmd_leaf(pmd) && !(pmd_val(pmd) & _PAGE_RW);
}

/* A base table's entry, redirected to a private page of the level below. */
static unsigned long kview_link(unsigned long entry, void *table)
{
	return (entry & ~PTE_PFN_MASK) | __pa(table);
}

static void *kview_table_copy(const void *entry)
{
	void *table = kview_table_alloc();

	if (table)
		memcpy(table, (void *)((unsigned long)entry & PAGE_MASK), PAGE_SIZE);
	return table;
}

/*
 * A Global translation that a process of one view leaves in the TLB would be used by one of
 * another view, in place of its own text.
 */
static void kview_table_not_global(pmd_t *pmd)
{
	unsigned int i;

	for (i = 0; i < PTRS_PER_PMD; i++)
		if (pmd_leaf(pmd[i]))
			pmd[i] = __pmd(pmd_val(pmd[i]) & ~_PAGE_GLOBAL);
}

int kview_tables_alloc(struct kview_tables *t)
{
	unsigned long va = kview_sym.text_start;
	p4d_t *p4d = p4d_offset(kview_base_pgd(false), va);
	pud_t *pud = pud_offset(p4d, va);

	t->pmd = kview_table_copy(pmd_offset(pud, va));
	t->pud = kview_table_copy(pud);
	if (!t->pmd || !t->pud)
		goto fail;
	if (!kview_unsafe_keep_global)
		kview_table_not_global(t->pmd);
	t->pud[pud_index(va)] = __pud(kview_link(pud_val(*pud), t->pmd));
	if (pgtable_l5_enabled()) {
		t->p4d = kview_table_copy(p4d);
		if (!t->p4d)
			goto fail;
		t->p4d[p4d_index(va)] = __p4d(kview_link(p4d_val(*p4d), t->pud));
	}
	return 0;
fail:
	kview_tables_free(t);
	return -ENOMEM;
}

void kview_tables_free(struct kview_tables *t)
{
	free_page((unsigned long)t->pmd);
	free_page((unsigned long)t->pud);
	free_page((unsigned long)t->p4d);
	memset(t, 0, sizeof(*t));
}

/*
 * The one write that puts an mm into a view or takes it out.  Only the kernel
 * half's PGD: with PTI, user mode keeps its own.  The caller flushes the mm.
 */
static void kview_slot_write(struct mm_struct *mm, unsigned long entry)
{
	pgd_t *slot = pgd_offset_pgd(mm->pgd, kview_sym.text_start);

	WRITE_ONCE(*slot, __pgd(entry));
}

void kview_tables_install(struct kview_tables *t, struct mm_struct *mm)
{
	unsigned long base = pgd_val(*kview_base_pgd(false));

	kview_slot_write(mm, kview_link(base, t->p4d ? (void *)t->p4d : (void *)t->pud));
}

void kview_tables_remove(struct mm_struct *mm)
{
	kview_slot_write(mm, pgd_val(*kview_base_pgd(false)));
}

/* Until the next switch of address spaces.  Any context but NMI. */
void kview_base_tables_load(void)
{
	unsigned long flags;

	local_irq_save(flags);
	kview_sym.switch_mm_irqs_off(NULL, kview_sym.init_mm, NULL);
	local_irq_restore(flags);
}

static void kview_let_go(void *mm)
{
	if (!current->mm && read_cr3_pa() == __pa(((struct mm_struct *)mm)->pgd))
		kview_base_tables_load();
}

/*
 * Can a flush leave out the interrupt at which a borrower lets go?  A hypervisor flushes a CPU
 * that does not run when it next runs (KVM), or any by itself (Hyper-V); so do processors that
 * flush each other.
 */
static bool kview_flush_is_silent(void)
{
#ifdef X86_FEATURE_INVLPGB
	if (boot_cpu_has(X86_FEATURE_INVLPGB))
		return true;
#endif
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
}

/*
 * What CPUs have of an mm's translations, wherever it runs now and wherever it has run:
 * the others find its generation changed when they switch to it.  Who has merely borrowed
 * the mm lets go of it: the kernel sees to that when tables are freed, or else an interrupt
 * of our own does, which flushes nothing.  A CPU that has just left the mm, interrupts still
 * off, can be on the old tables a moment longer: what they lead to is freed after a grace
 * period (retire.c).  Interrupts on.
 */
void kview_flush_mm(struct mm_struct *mm)
{
	kview_sym.flush_tlb_mm_range(mm, 0, TLB_FLUSH_ALL, 0, !kview_spare_lazy);
	if (kview_flush_is_silent())
		on_each_cpu_mask(mm_cpumask(mm), kview_let_go, mm, true);
}

/* The same, for an mm that no CPU has loaded or borrowed: who switches to it finds it changed. */
void kview_flush_later(struct mm_struct *mm)
{
	atomic64_inc_return(&mm->context.tlb_gen);	/* a full barrier */
}

/* Global entries, too, on all CPUs, those that are just coming up included. */
void kview_flush_all(void)
{
	cpus_read_lock();
	kview_sym.flush_tlb_all();
	cpus_read_unlock();
}

/* Preemption off. */
bool kview_cpu_in_view(void)
{
	pgd_t *pgd = pgd_offset_pgd((pgd_t *)__va(read_cr3_pa()), kview_sym.text_start);

	return pgd_val(*pgd) != pgd_val(*kview_base_pgd(false));
}

pmd_t kview_pmd_of_ptes(unsigned int region, pte_t *ptes)
{
	unsigned long va = kview_region_va(region);
	pud_t *pud = pud_offset(p4d_offset(kview_base_pgd(false), va), va);

	/* the attributes of a table entry, as one level above */
	return __pmd(kview_link(pud_val(*pud), ptes));
}

pmd_t kview_pmd_of_pages(unsigned int region, struct page *pages)
{
	pmd_t pmd = kview_base_pmd(region);

	return __pmd(((pmd_val(pmd) & ~PTE_PFN_MASK) | page_to_phys(pages)) & ~_PAGE_GLOBAL);
}

/* 512 entries that map what the base maps there, with 4 KiB pages, not Global. */
void kview_fill_ptes(unsigned int region, pte_t *ptes)
{
	pmd_t pmd = kview_base_pmd(region);
	unsigned int i;

	if (!pmd_leaf(pmd)) {
		memcpy(ptes, (void *)pmd_page_vaddr(pmd), PAGE_SIZE);
		for (i = 0; i < PTRS_PER_PTE; i++)
			if (pte_present(ptes[i]))
				ptes[i] = __pte(pte_val(ptes[i]) & ~_PAGE_GLOBAL);
		return;
	}
	for (i = 0; i < PTRS_PER_PTE; i++) {
		/* PSE at this level would be PAT */
		unsigned long flags = (pmd_val(pmd) & ~PTE_PFN_MASK) & ~(_PAGE_PSE | _PAGE_GLOBAL);

		ptes[i] = __pte(((pmd_pfn(pmd) + i) << PAGE_SHIFT) | flags);
	}
}

pte_t kview_pte_of_page(pte_t base, struct page *page)
{
	return __pte(((pte_val(base) & ~PTE_PFN_MASK) | page_to_phys(page)) & ~_PAGE_GLOBAL);
}
