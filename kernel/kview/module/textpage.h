/* SPDX-License-Identifier: GPL-2.0 */
/* The pages of text copies. */
#ifndef KVIEW_MODULE_TEXTPAGE_H
#define KVIEW_MODULE_TEXTPAGE_H

#include <linux/types.h>

struct page;

/* All but the last under kview_lock. */

/*
 * 2^@order pages; what is in them is not defined.  A single one is read-only in the direct mapping,
 * more are to be filled there and then protected.  NULL: no memory.  This and the next two sleep, and
 * can flush all CPUs.
 */
struct page *kview_textpages_get(unsigned int order);
/* Makes them read-only in the direct mapping, if they are not.  -ENOMEM: they are given back. */
int kview_textpages_protect(struct page *pages, unsigned int order);
/* Gives them back; no CPU can have a translation to them. */
void kview_textpages_put(struct page *pages, unsigned int order);

/*
 * Writes to them, from the @off-th byte on, never across a page.  Under text_mutex; interrupts may
 * be off.
 */
void kview_textpages_write(struct page *pages, u32 off, const void *src, size_t len);

#endif
