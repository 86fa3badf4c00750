/* SPDX-License-Identifier: GPL-2.0 */
/* Sorting by the ten thousand. */
#ifndef KVIEW_MODULE_ORDER_H
#define KVIEW_MODULE_ORDER_H

#include <linux/sched.h>
#include <linux/sort.h>
#include <linux/types.h>

/*
 * sort(), but what is in order already, as functions by their addresses mostly are, is only looked
 * through.  @compare calls cond_resched(): the kernel's sort() gives nobody else the CPU.  Sleeps.
 */
static inline void kview_sort(void *base, size_t n, size_t size, cmp_func_t compare)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (compare(base + (i - 1) * size, base + i * size) > 0) {
			sort(base, n, size, compare, NULL);
			return;
		}
}

#endif
