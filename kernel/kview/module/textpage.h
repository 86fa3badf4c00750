/* SPDX-License-Identifier: GPL-2.0 */
/* The pages of text copies. */
#ifndef KVIEW_MODULE_TEXTPAGE_H
#define KVIEW_MODULE_TEXTPAGE_H

#include <linux/types.h>

struct page;

/* All but the last under kview_lock. */

/*
 * 2^@order pages that are read-only in the direct mapping; what is in them is not defined.  NULL:
 * no memory.  This and the next sleep, and can flush all CPUs.
 */
struct page *kview_textpages_get(unsigned int order);
/* Gives them back; no CPU can have a translation to them. */
void kview_textpages_put(struct page *pages, unsigned int order);

/*
 * Writes to them, from the @off-th byte on, never across a page.  Under text_mutex; interrupts may
 * be off.
 */
void kview_textpages_write(struct page *pages, u32 off, const void *src, size_t len);

#endif
