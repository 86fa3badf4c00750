// SPDX-License-Identifier: GPL-2.0
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

/* Sorts half of them each, and merges the halves; room is for all of them. */
static void merge_sort(char *elements, size_t nr, size_t size, sort_compare_fn *compare, char *room)
{
	size_t half = nr / 2, left = 0, right = half, i;

	if (nr < 2)
		return;
	merge_sort(elements, half, size, compare, room);
	merge_sort(elements + half * size, nr - half, size, compare, room);
	if (compare(elements + (half - 1) * size, elements + half * size) <= 0)
		return;
	/* What is left of the right half when the left one is used up stands where it belongs. */
	for (i = 0; left < half; i++) {
		if (right == nr || compare(elements + left * size, elements + right * size) <= 0)
			memcpy(room + i * size, elements + left++ * size, size);
		else
			memcpy(room + i * size, elements + right++ * size, size);
	}
	memcpy(elements, room, i * size);
}

static void swap(char *a, char *b, size_t size)
{
	while (size-- > 0) {
		char kept = *a;

		*a++ = *b;
		*b++ = kept;
	}
}

/* Moves an element of the heap down until none below it is greater. */
static void sift_down(char *elements, size_t at, size_t nr, size_t size, sort_compare_fn *compare)
{
	size_t child;

	for (; (child = 2 * at + 1) < nr; at = child) {
		if (child + 1 < nr && compare(elements + child * size, elements + (child + 1) * size) < 0)
			child++;
		if (compare(elements + at * size, elements + child * size) >= 0)
			return;
		swap(elements + at * size, elements + child * size, size);
	}
}

/* Takes no memory, and several times as long, as its steps go far. */
static void heap_sort(char *elements, size_t nr, size_t size, sort_compare_fn *compare)
{
	size_t i;

	for (i = nr / 2; i-- > 0; )
		sift_down(elements, i, nr, size, compare);
	for (i = nr; i-- > 1; ) {
		swap(elements, elements + i * size, size);
		sift_down(elements, 0, i, size, compare);
	}
}

void sort(void *elements, size_t nr, size_t size, sort_compare_fn *compare)
{
	char *room = nr < 2 ? NULL : malloc(nr * size);

	if (room)
		merge_sort(elements, nr, size, compare, room);
	else
		heap_sort(elements, nr, size, compare);
	free(room);
}
