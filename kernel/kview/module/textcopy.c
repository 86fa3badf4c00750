// SPDX-License-Identifier: GPL-2.0
/*
 * Copies of base text in which some bytes are overridden.
 *
 * A copy is a 4 KiB page or a 2 MiB block.  It is keyed by its address and its
 * overrides, so that views with the same hooks in a page share it.  A copy is
 * filled before anyone can see it and is written afterwards by the mirror alone, and
 * never by its address in the direct mapping, where it is read-only (textpage.c).
 */
#include <linux/atomic.h>
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/text-patching.h>

#include "counters.h"
#include "lock.h"
#include "memory.h"
#include "pgtable.h"
#include "symbols.h"
#include "textcopy.h"
#include "textpage.h"

static DEFINE_HASHTABLE(kview_copies, 12);
static DEFINE_RAW_SPINLOCK(kview_copies_lock);
static u32 kview_ncopies;

static unsigned long kview_copy_key(unsigned long va, unsigned int order)
{
	return (va >> PAGE_SHIFT) ^ order;
}

static u32 kview_ov_hash(const struct kview_ov *ov, u32 nov, u32 bias)
{
	u32 h = nov, i;

	for (i = 0; i < nov; i++) {
		h = jhash_2words(ov[i].off - bias, ov[i].len, h);
		h = jhash(ov[i].byte, sizeof(ov[i].byte), h);
	}
	return h;
}

static bool kview_ov_same(const struct kview_copy *c, const struct kview_ov *ov, u32 bias)
{
	u32 i;

	for (i = 0; i < c->nov; i++)
		if (c->ov[i].off != ov[i].off - bias || c->ov[i].len != ov[i].len ||
		    memcmp(c->ov[i].byte, ov[i].byte, sizeof(ov[i].byte)))
			return false;
	return true;
}

/* The longest jump that the optimiser writes, less one. */
#define KVIEW_REACH	(JMP32_INSN_SIZE - 1)

/*
 * Is the instruction still the base's?  Who has a breakpoint on it or just before it may
 * be about to run it elsewhere, as it is in the base.  Who comes later is told that it
 * cannot be moved, see mirror.c.
 */
static bool kview_ov_current(const struct kview_ov *ov, const u8 *base, unsigned long va)
{
	unsigned int d;

	if (!ov->keep)
		return true;
	if (memcmp(base, ov->byte, ov->keep))
		return false;
	for (d = 1; d <= KVIEW_REACH; d++)
		if (*kview_base_text(va - d) == INT3_INSN_OPCODE &&
		    kview_sym.get_kprobe((void *)(va - d)))
			return false;
	return true;
}

/* Under text_mutex. */
static bool kview_copy_current(const struct kview_copy *c)
{
	bool ret = true;
	u32 i;

	preempt_disable();
	for (i = 0; i < c->nov && ret; i++)
		ret = kview_ov_current(&c->ov[i], kview_base_text(c->va + c->ov[i].off),
				       c->va + c->ov[i].off);
	preempt_enable();
	return ret;
}

/* What is to be in the page at @off, whose first override is the @i-th.  Returns the next page's first. */
static u32 kview_copy_page(const struct kview_copy *c, u32 off, u32 i, u8 *page)
{
	memcpy(page, kview_base_text(c->va + off), PAGE_SIZE);
	/* none crosses a page */
	for (; i < c->nov && c->ov[i].off < off + PAGE_SIZE; i++)
		memcpy(page + c->ov[i].off - off, c->ov[i].byte, c->ov[i].len);
	return i;
}

/*
 * Fills pages that nobody else knows and that can still be written, as that is much faster than page by page
 * through a mapping for each.  The base may be written meanwhile: kview_copy_fill() looks at it again.
 */
static void kview_copy_draft(struct kview_copy *c)
{
	u8 *at = page_address(c->pages);
	u32 off, i = 0;

	for (off = 0; off < PAGE_SIZE << c->order; off += PAGE_SIZE) {
		i = kview_copy_page(c, off, i, at + off);
		cond_resched();
	}
}

/* Writes what is not as it should be.  Under text_mutex. */
static void kview_copy_fill(struct kview_copy *c)
{
	static u8 page[PAGE_SIZE];
	u8 *at = page_address(c->pages);
	u32 off, i = 0;

	for (off = 0; off < PAGE_SIZE << c->order; off += PAGE_SIZE) {
		i = kview_copy_page(c, off, i, page);
		if (memcmp(at + off, page, PAGE_SIZE))
			kview_textpages_write(c->pages, off, page, PAGE_SIZE);
	}
}

/**
 * kview_copy_get() - the copy with exactly these overrides, new or shared
 * @va:		its address
 * @order:	0 (4 KiB) or 9 (2 MiB)
 * @ov:		overrides, sorted
 * @nov:	how many
 * @bias:	what to subtract from their offsets
 *
 * Under kview_lock.  -ENOMEM; -EBUSY: somebody else has a breakpoint there.
 */
struct kview_copy *kview_copy_get(unsigned long va, unsigned int order,
				  const struct kview_ov *ov, u32 nov, u32 bias)
{
	u32 hash = kview_ov_hash(ov, nov, bias), i;
	unsigned long key = kview_copy_key(va, order), flags;
	struct kview_copy *c;
	bool fits;

	hash_for_each_possible(kview_copies, c, node, key)
		if (c->va == va && c->order == order && c->hash == hash && c->nov == nov &&
		    kview_ov_same(c, ov, bias)) {
			c->refs++;
			return c;
		}

	c = kview_calloc(1, struct_size(c, ov, nov));
	if (!c)
		return ERR_PTR(-ENOMEM);
	c->pages = kview_textpages_get(order);
	if (!c->pages) {
		kvfree(c);
		return ERR_PTR(-ENOMEM);
	}
	c->va = va;
	c->order = order;
	c->hash = hash;
	c->nov = nov;
	c->refs = 1;
	memcpy(c->ov, ov, nov * sizeof(*ov));
	for (i = 0; i < nov; i++)
		c->ov[i].off -= bias;
	if (order)
		kview_copy_draft(c);
	if (kview_textpages_protect(c->pages, order)) {
		kvfree(c);
		return ERR_PTR(-ENOMEM);
	}
	if (order)
		kview_test_hold(KVIEW_HOLD_DRAFTED);

	/* No write to the base may fall between the copying and the mirroring. */
	mutex_lock(kview_sym.text_mutex);
	fits = kview_copy_current(c);
	if (fits) {
		kview_copy_fill(c);
		raw_spin_lock_irqsave(&kview_copies_lock, flags);
		hash_add(kview_copies, &c->node, key);
		kview_ncopies++;
		raw_spin_unlock_irqrestore(&kview_copies_lock, flags);
	}
	mutex_unlock(kview_sym.text_mutex);
	if (fits)
		return c;
	kview_textpages_put(c->pages, c->order);
	kvfree(c);
	return ERR_PTR(-EBUSY);
}

/* Under kview_lock, once no TLB can hold a translation to the copy. */
void kview_copy_put(struct kview_copy *c)
{
	unsigned long flags;

	if (--c->refs)
		return;
	raw_spin_lock_irqsave(&kview_copies_lock, flags);
	hash_del(&c->node);
	kview_ncopies--;
	raw_spin_unlock_irqrestore(&kview_copies_lock, flags);
	kview_textpages_put(c->pages, c->order);
	kvfree(c);
}

static bool kview_copy_overrides(const struct kview_copy *c, u32 off)
{
	u32 lo = 0, hi = c->nov;

	while (lo < hi) {	/* the first override behind off */
		u32 mid = (lo + hi) / 2;

		if (c->ov[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && off < c->ov[lo - 1].off + c->ov[lo - 1].len;
}

static void kview_copy_repeat(struct kview_copy *c, unsigned long va, size_t len)
{
	u32 off = va - c->va;
	size_t i, n;

	for (i = 0; i < len; i += n) {
		bool own = kview_copy_overrides(c, off + i);

		for (n = 1; i + n < len && kview_copy_overrides(c, off + i + n) == own; n++)
			;
		if (!own)
			kview_textpages_write(c->pages, off + i, kview_base_text(va + i), n);
	}
	atomic64_inc(&kview_mirrored);
}

/*
 * Repeat a write to base text in every copy of it.  Called right after the write
 * and before the writer makes all CPUs serialise, so that breakpoint-first
 * patching stays sound in the copies.
 */
void kview_copy_mirror(unsigned long va, size_t len)
{
	unsigned long end = va + len, flags;
	struct kview_copy *c;

	raw_spin_lock_irqsave(&kview_copies_lock, flags);
	while (va < end) {
		unsigned long page = va & PAGE_MASK, block = va & PMD_MASK;
		size_t n = min(end, page + PAGE_SIZE) - va;

		hash_for_each_possible(kview_copies, c, node, kview_copy_key(page, 0))
			if (c->va == page && !c->order)
				kview_copy_repeat(c, va, n);
		hash_for_each_possible(kview_copies, c, node,
				       kview_copy_key(block, PMD_SHIFT - PAGE_SHIFT))
			if (c->va == block && c->order)
				kview_copy_repeat(c, va, n);
		va += n;
	}
	raw_spin_unlock_irqrestore(&kview_copies_lock, flags);
}

/* Has some view an instruction of its own there? */
bool kview_copy_overlaps(unsigned long va, size_t len)
{
	unsigned long flags;
	struct kview_copy *c;
	bool ret = false;
	size_t i;

	raw_spin_lock_irqsave(&kview_copies_lock, flags);
	for (i = 0; i < len; i++) {
		unsigned long at = va + i;

		hash_for_each_possible(kview_copies, c, node, kview_copy_key(at & PAGE_MASK, 0))
			ret |= c->va == (at & PAGE_MASK) && !c->order &&
			       kview_copy_overrides(c, at - c->va);
		hash_for_each_possible(kview_copies, c, node,
				       kview_copy_key(at & PMD_MASK, PMD_SHIFT - PAGE_SHIFT))
			ret |= c->va == (at & PMD_MASK) && c->order &&
			       kview_copy_overrides(c, at - c->va);
	}
	raw_spin_unlock_irqrestore(&kview_copies_lock, flags);
	return ret;
}

u32 kview_copy_count(void)
{
	return READ_ONCE(kview_ncopies);
}

#ifdef KVIEW_TESTS
/* As a stray write would: by the direct mapping, with the byte that is there. */
static int kview_copies_scribble(const char *val, const struct kernel_param *kp)
{
	int ret = -ENODATA, bucket;
	struct kview_copy *c;
	u8 byte;

	mutex_lock(&kview_lock);
	hash_for_each(kview_copies, bucket, c, node) {
		u8 *at = (u8 *)page_address(c->pages) + (PAGE_SIZE << c->order) - 1;

		byte = *at;
		__put_kernel_nofault(at, &byte, u8, refused);
		ret = 0;
		break;
refused:
		ret = -EFAULT;
	}
	mutex_unlock(&kview_lock);
	return ret;
}

static const struct kernel_param_ops kview_scribble_ops = { .set = kview_copies_scribble };
module_param_cb(scribble, &kview_scribble_ops, NULL, 0200);
MODULE_PARM_DESC(scribble, "for tests: write to copies of text by the direct mapping");
#endif
