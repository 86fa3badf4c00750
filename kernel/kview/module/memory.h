/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Allocations that can be made to fail, for tests.  All are GFP_KERNEL: they may sleep, and are
 * charged to current's memory cgroup.  NULL: no memory.  What must be called to free it stands
 * beside each; it is the caller's.
 */
#ifndef KVIEW_MODULE_MEMORY_H
#define KVIEW_MODULE_MEMORY_H

#include <linux/build_bug.h>
#include <linux/types.h>

struct page;

void *kview_zalloc(size_t size);		/* zeroed; kfree() */
void *kview_calloc(size_t n, size_t size);	/* zeroed; kvfree() */
u64 __percpu *kview_percpu_alloc(size_t size);	/* @size bytes a CPU, zeroed; free_percpu() */
void *kview_table_alloc(void);			/* a zeroed page; free_page() */
/* 2^@order pages, not zeroed; for @order > 0 it gives up early.  __free_pages(). */
struct page *kview_pages_alloc(unsigned int order);

/* Where a test can have somebody wait. */
enum kview_hold {
	KVIEW_HOLD_INSTANT = 1,		/* what is to happen at one instant comes next */
	KVIEW_HOLD_NAMED,		/* names have been found, nothing was made of them yet */
	KVIEW_HOLD_JOINING,		/* a process of a cgroup is about to join; the first one alone */
	KVIEW_HOLD_DRAFTED,		/* a copy of 2 MiB is filled, and is not looked at again yet */
};

/* Builds for the tests (make KVIEW_TESTS=1) can be told to fail, or to leave safety off. */
#ifdef KVIEW_TESTS
#define KVIEW_TESTING	1
/* Asked once before whatever can fail.  Any context. */
bool kview_should_fail(void);
/* Sleeps there until the test, which has chosen this place, lets it go on. */
void kview_test_hold(enum kview_hold where);
/* Spins in the hook, for as long as the test says. */
void kview_test_delay(void);
#define kview_test_param(name, var, type, perm, what) \
	module_param_named(name, var, type, perm); \
	MODULE_PARM_DESC(name, "for tests: " what)
#else
#define KVIEW_TESTING	0
static inline bool kview_should_fail(void) { return false; }
static inline void kview_test_hold(enum kview_hold where) { }
static inline void kview_test_delay(void) { }
#define kview_test_param(name, var, type, perm, what) static_assert(true)
#endif

#endif
