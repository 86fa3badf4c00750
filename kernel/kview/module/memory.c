// SPDX-License-Identifier: GPL-2.0
/*
 * Every allocation of the module, in one place, so that a test can make the
 * n-th one fail: stock kernels are built without fault injection.
 * Memory is charged to the memory cgroup of whoever asked for it.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "memory.h"

#ifdef KVIEW_TESTS
static int fail_nth;
kview_test_param(fail_nth, fail_nth, int, 0600, "let the n-th allocation from now on fail, once");

bool kview_should_fail(void)
{
	int n = READ_ONCE(fail_nth);

	/* just one fails, but which one, when hooks and work items ask meanwhile, can differ */
	do {
		if (likely(n <= 0))
			return false;
	} while (!try_cmpxchg(&fail_nth, &n, n - 1));
	return n == 1;
}

static int hold, held;
kview_test_param(hold, hold, int, 0600,
		 "wait just before what is to happen at one instant (1), when names have been found (2), or, the first one alone, before a process of a cgroup joins (3), or when a copy of 2 MiB has been filled for the first time (4)");
kview_test_param(held, held, int, 0400, "how often it was waited");

void kview_test_hold(enum kview_hold where)
{
	static atomic_t first = ATOMIC_INIT(1);

	if (READ_ONCE(hold) != where || (where == KVIEW_HOLD_JOINING && !atomic_xchg(&first, 0)))
		return;
	WRITE_ONCE(held, held + 1);
	while (READ_ONCE(hold) == where)
		msleep(1);
}

static int delay_us;
kview_test_param(delay, delay_us, int, 0600,
		 "how long hooks of sets that are being switched take, in us");

void notrace kview_test_delay(void)
{
	if (READ_ONCE(delay_us))
		udelay(READ_ONCE(delay_us));
}
#endif

void *kview_zalloc(size_t size)
{
	return kview_should_fail() ? NULL : kzalloc(size, GFP_KERNEL_ACCOUNT);
}

void *kview_calloc(size_t n, size_t size)
{
	return kview_should_fail() ? NULL : kvcalloc(n, size, GFP_KERNEL_ACCOUNT);
}

u64 __percpu *kview_percpu_alloc(size_t size)
{
	if (kview_should_fail())
		return NULL;
	return __alloc_percpu_gfp(size, sizeof(u64), GFP_KERNEL_ACCOUNT);
}

void *kview_table_alloc(void)
{
	return kview_should_fail() ? NULL : (void *)get_zeroed_page(GFP_KERNEL_ACCOUNT);
}

struct page *kview_pages_alloc(unsigned int order)
{
	gfp_t gfp = GFP_KERNEL_ACCOUNT;

	if (order)		/* there is a way without, so do not try hard */
		gfp |= __GFP_NOWARN | __GFP_NORETRY;
	return kview_should_fail() ? NULL : alloc_pages(gfp, order);
}
