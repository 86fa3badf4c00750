/* SPDX-License-Identifier: GPL-2.0 */
/* Allocations that can be made to fail, for tests. */
#ifndef KVIEW_MODULE_MEMORY_H
#define KVIEW_MODULE_MEMORY_H

#include <linux/build_bug.h>
#include <linux/types.h>

struct page;

void *kview_zalloc(size_t size);
void *kview_calloc(size_t n, size_t size);	/* kvfree() */
u64 __percpu *kview_percpu_alloc(size_t size);	/* free_percpu() */
void *kview_table_alloc(void);			/* a zeroed page; free_page() */
struct page *kview_pages_alloc(unsigned int order);

/* Builds for the tests (make KVIEW_TESTS=1) can be told to fail, or to leave safety off. */
#ifdef KVIEW_TESTS
#define KVIEW_TESTING	1
bool kview_should_fail(void);
void kview_test_hold(void);
void kview_test_delay(void);
#define kview_test_param(name, var, type, perm, what) \
	module_param_named(name, var, type, perm); \
	MODULE_PARM_DESC(name, "for tests: " what)
#else
#define KVIEW_TESTING	0
static inline bool kview_should_fail(void) { return false; }
static inline void kview_test_hold(void) { }
static inline void kview_test_delay(void) { }
#define kview_test_param(name, var, type, perm, what) static_assert(true)
#endif

#endif
