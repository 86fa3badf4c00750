// SPDX-License-Identifier: GPL-2.0
#include "lookup/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COMPARED 64		/* characters; who mistypes more searches with a glob */

/*
 * The number of edits that turn one name into the other: a character more, less or different, or
 * two neighbours swapped (the restricted Damerau-Levenshtein distance); at most limit + 1.
 */
static unsigned int edit_distance(const char *a, const char *b, unsigned int limit)
{
	size_t length_a = strlen(a), length_b = strlen(b);
	unsigned int rows[3][MAX_COMPARED + 1], *before = rows[0], *above = rows[1], *row = rows[2];

	if (length_a > MAX_COMPARED || length_b > MAX_COMPARED ||
	    (length_a > length_b ? length_a - length_b : length_b - length_a) > limit)
		return limit + 1;
	for (size_t j = 0; j <= length_b; j++)
		above[j] = j;
	for (size_t i = 1; i <= length_a; i++) {
		unsigned int least = row[0] = i, *spare = before;

		for (size_t j = 1; j <= length_b; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);
			unsigned int edits = above[j - 1] + !same;

			if (above[j] + 1 < edits)
				edits = above[j] + 1;
			if (row[j - 1] + 1 < edits)
				edits = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < edits)
				edits = before[j - 2] + 1;
			row[j] = edits;
			if (edits < least)
				least = edits;
		}
		if (least > limit)
			return limit + 1;
		before = above;
		above = row;
		row = spare;
	}
	return above[length_b];
}

static void keep(struct near_names *near, const char *name, unsigned int distance)
{
	size_t at = near->nr;

	for (size_t i = 0; i < near->nr; i++)
		if (!strcmp(near->best[i].name, name))
			return;
	if (near->nr == NEAR_NAMES)
		free(near->best[--at].name);
	else
		near->nr++;
	while (at && near->best[at - 1].distance > distance) {
		near->best[at] = near->best[at - 1];
		at--;
	}
	near->best[at].name = name__printable(name);
	near->best[at].distance = distance;
	if (!near->best[at].name) {
		memmove(&near->best[at], &near->best[at + 1],
			(near->nr - at - 1) * sizeof(near->best[0]));
		near->nr--;
	}
}

void near_names__offer(struct near_names *near, const char *symbol)
{
	size_t wanted_length = strlen(near->wanted);
	unsigned int limit = wanted_length < 6 ? 2 : wanted_length / 3, distance;
	const char *name, *last;
	char *demangled;

	if (near->nr == NEAR_NAMES && near->best[NEAR_NAMES - 1].distance <= limit) {
		if (!near->best[NEAR_NAMES - 1].distance)
			return;
		limit = near->best[NEAR_NAMES - 1].distance - 1;
	}
	demangled = name__demangle(symbol, false);
	name = demangled ? demangled : symbol;
	distance = edit_distance(near->wanted, name, limit);
	/* Also compares the name without its namespace, which may have been left out. */
	last = strrchr(name, ':');
	if (last && distance > limit && !strchr(near->wanted, ':')) {
		distance = edit_distance(near->wanted, last + 1, limit);
		if (distance < limit)
			distance++;
	}
	if (distance <= limit)
		keep(near, name, distance);
	free(demangled);
}

char **near_names__take(struct near_names *near)
{
	char **names = near->nr ? calloc(near->nr + 1, sizeof(*names)) : NULL;

	for (size_t i = 0; i < near->nr; i++) {
		if (names)
			names[i] = near->best[i].name;
		else
			free(near->best[i].name);
	}
	near->nr = 0;
	return names;
}
