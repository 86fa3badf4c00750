/* SPDX-License-Identifier: GPL-2.0 */
/* Sorting what others made: n log n comparisons at most, also without memory. */
#ifndef KVIEW_SORT_H
#define KVIEW_SORT_H

#include <stddef.h>

typedef int sort_compare_fn(const void *a, const void *b);

/*
 * As qsort(), which in the C libraries of older distributions takes n * n comparisons for some orders where
 * it gets no memory, and a file from a traced process can have such an order.
 */
void sort(void *elements, size_t nr, size_t size, sort_compare_fn *compare);

#endif
