// SPDX-License-Identifier: GPL-2.0
/*
 * The pages of text copies.  In the kernel's direct mapping they are read-only, as the
 * base's text is: what is to be written there goes by __text_poke(), through a mapping
 * that only the writing CPU has, for the moment.
 *
 * To change a page's rights there, the TLBs of all CPUs are flushed, and larger pages of
 * the direct mapping may have to be split.  So single pages are taken from blocks, each as
 * large as all blocks before it.  One empty block is kept for later copies, until the last
 * copy is freed.
 */
#include <linux/bitmap.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "memory.h"
#include "symbols.h"
#include "textpage.h"

#define KVIEW_BLOCK_ORDER_MIN	3
#define KVIEW_BLOCK_ORDER_MAX	9

struct kview_block {
	struct list_head node;
	struct page *pages;
	u32 order;
	u32 used;
	DECLARE_BITMAP(busy, 1 << KVIEW_BLOCK_ORDER_MAX);
};

/* Under kview_lock. */
static LIST_HEAD(kview_blocks);
static u32 kview_block_pages, kview_block_used;

static int kview_pages_protect(struct page *pages, unsigned int order)
{
	int ret = kview_should_fail() ? -ENOMEM :
		  kview_sym.set_memory_ro((unsigned long)page_address(pages), 1 << order);

	if (!ret)
		return 0;
	/* some of them may be read-only by now */
	kview_sym.set_memory_rw((unsigned long)page_address(pages), 1 << order);
	__free_pages(pages, order);
	return -ENOMEM;
}

static struct page *kview_protected_alloc(unsigned int order)
{
	struct page *pages = kview_pages_alloc(order);

	return pages && !kview_pages_protect(pages, order) ? pages : NULL;
}

static void kview_protected_free(struct page *pages, unsigned int order)
{
	/* cannot fail: these pages are split in the direct mapping already, so it needs no memory */
	kview_sym.set_memory_rw((unsigned long)page_address(pages), 1 << order);
	__free_pages(pages, order);
}

static struct kview_block *kview_block_new(void)
{
	unsigned int order = clamp(order_base_2(kview_block_pages + 1), KVIEW_BLOCK_ORDER_MIN,
				   KVIEW_BLOCK_ORDER_MAX);
	struct kview_block *b = kview_zalloc(sizeof(*b));

	if (!b)
		return NULL;
	b->pages = kview_protected_alloc(order);
	if (!b->pages && order) {
		order = 0;
		b->pages = kview_protected_alloc(order);
	}
	if (!b->pages) {
		kfree(b);
		return NULL;
	}
	b->order = order;
	kview_block_pages += 1 << order;
	list_add(&b->node, &kview_blocks);
	return b;
}

static void kview_block_free(struct kview_block *b)
{
	list_del(&b->node);
	kview_block_pages -= 1 << b->order;
	kview_protected_free(b->pages, b->order);
	kfree(b);
}

/* Frees empty blocks, but keeps one of them as long as any page is in use. */
static void kview_blocks_trim(void)
{
	struct kview_block *b, *next, *spare = NULL;

	list_for_each_entry_safe(b, next, &kview_blocks, node) {
		if (b->used)
			continue;
		if (kview_block_used && !spare)
			spare = b;
		else
			kview_block_free(b);
	}
}

struct page *kview_textpages_get(unsigned int order)
{
	struct kview_block *b;
	u32 i;

	if (order)
		return kview_pages_alloc(order);
	list_for_each_entry(b, &kview_blocks, node)
		if (b->used < 1U << b->order)
			goto found;
	b = kview_block_new();
	if (!b)
		return NULL;
found:
	i = find_first_zero_bit(b->busy, 1 << b->order);
	__set_bit(i, b->busy);
	b->used++;
	kview_block_used++;
	return b->pages + i;
}

int kview_textpages_protect(struct page *pages, unsigned int order)
{
	return order ? kview_pages_protect(pages, order) : 0;
}

void kview_textpages_put(struct page *pages, unsigned int order)
{
	struct kview_block *b;

	if (order) {
		kview_protected_free(pages, order);
		return;
	}
	list_for_each_entry(b, &kview_blocks, node)
		if (pages >= b->pages && pages < b->pages + (1 << b->order))
			break;
	__clear_bit(pages - b->pages, b->busy);
	b->used--;
	kview_block_used--;
	if (!b->used)
		kview_blocks_trim();
}

static void kview_textpages_copy(void *dst, const void *src, size_t len)
{
	memcpy(dst, src, len);
}

/* Under text_mutex.  mirror.c repeats the kernel's writes in the copies, but not this one. */
void kview_textpages_write(struct page *pages, u32 off, const void *src, size_t len)
{
	void *(*original)(void *func, void *addr, const void *src, size_t len);

	original = (void *)kview_sym.text_poke;
	original(kview_textpages_copy, page_address(pages) + off, src, len);
	/* no tail call above: mirror.c knows this write by its return address, which is in here */
	barrier();
}
