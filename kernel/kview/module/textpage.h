/* SPDX-License-Identifier: GPL-2.0 */
/* The pages of text copies. */
#ifndef KVIEW_MODULE_TEXTPAGE_H
#define KVIEW_MODULE_TEXTPAGE_H

#include <linux/types.h>

struct page;

/* All but the last under kview_lock. */
struct page *kview_textpages_get(unsigned int order);
void kview_textpages_put(struct page *pages, unsigned int order);
/* Never across a page. */
void kview_textpages_write(struct page *pages, u32 off, const void *src, size_t len);

#endif
