/* SPDX-License-Identifier: GPL-2.0 */
/* Allocations that can be made to fail, for tests. */
#ifndef KVIEW_MODULE_MEMORY_H
#define KVIEW_MODULE_MEMORY_H

#include <linux/types.h>

struct page;

void *kview_zalloc(size_t size);
void *kview_calloc(size_t n, size_t size);	/* kvfree() */
u64 __percpu *kview_percpu_alloc(size_t size);	/* free_percpu() */
void *kview_table_alloc(void);			/* a zeroed page; free_page() */
struct page *kview_pages_alloc(unsigned int order);
bool kview_should_fail(void);

#endif
