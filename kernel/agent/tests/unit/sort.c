// SPDX-License-Identifier: GPL-2.0
/* Sorting: the right order, after n log n comparisons, with memory and without, of the order that is worst for quicksort. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/sort.h"
#include "check.h"

#define NR	100000

static uint32_t *numbers;
static int32_t *values;		/* of each number: NO_VALUE until it matters */
static int32_t next;
static uint32_t pivot;
static uint64_t comparisons;

#define NO_VALUE	(NR + 1)

static int compare(const void *a, const void *b)
{
	int32_t x = values[*(const uint32_t *)a], y = values[*(const uint32_t *)b];

	comparisons++;
	return x < y ? -1 : x > y;
}

/*
 * Decides on an order while it is sorted: what was compared most recently with others that nothing is known of is the
 * least of them, so that a pivot divides off next to nothing ("A Killer Adversary for Quicksort", McIlroy).
 */
static int compare_as_worst(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	comparisons++;
	if (values[x] == NO_VALUE && values[y] == NO_VALUE)
		values[x == pivot ? x : y] = next++;
	if (values[x] == NO_VALUE)
		pivot = x;
	else if (values[y] == NO_VALUE)
		pivot = y;
	return values[x] < values[y] ? -1 : values[x] > values[y];
}

static bool is_sorted(void)
{
	uint32_t i;

	for (i = 1; i < NR; i++)
		if (values[numbers[i - 1]] > values[numbers[i]])
			return false;
	return true;
}

static void sort_all(sort_compare_fn *by, const char *name)
{
	uint32_t i;

	for (i = 0; i < NR; i++)
		numbers[i] = i;
	comparisons = 0;
	sort(numbers, NR, sizeof(*numbers), by);
	check(is_sorted(), name, comparisons);
	/* As many as a heap takes: 2 n log n, and 2 n to make it. */
	check(comparisons < 2ULL * NR * 18, "and it takes no more steps than it must", comparisons);
}

static void sort_some(const char *name)
{
	uint32_t i;

	for (i = 0; i < NR; i++)
		values[i] = (uint64_t)i * 7919 % 1000;
	sort_all(compare, name);
	for (i = 0; i < NR; i++)
		values[i] = NO_VALUE;
	next = 0;
	sort_all(compare_as_worst, "the worst order");
}

int main(void)
{
	struct rlimit own, none;

	numbers = malloc(NR * sizeof(*numbers));
	values = malloc(NR * sizeof(*values));
	getrlimit(RLIMIT_AS, &own);
	none = own;
	none.rlim_cur = 0;
	/* First, as memory that was freed can be had again. */
	setrlimit(RLIMIT_AS, &none);
	sort_some("without memory");
	setrlimit(RLIMIT_AS, &own);
	sort_some("with memory");
	sort(NULL, 0, sizeof(*numbers), compare);
	return failed;
}
