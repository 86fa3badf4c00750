/* SPDX-License-Identifier: GPL-2.0 */
/* Names of points that match what a client asks for. */
#ifndef KVIEW_POINT_NAMES_H
#define KVIEW_POINT_NAMES_H

#include "lookup/names.h"

#define POINT_NAMES_LIMIT	1000	/* where the client sets none */
#define POINT_NAMES_MOST	16000

struct point_names {
	struct name_pattern pattern;
	char **names;
	size_t nr, limit;
	size_t total;		/* that match, without the limit */
	/* Those that match and can't be measured; they are not among the others. */
	char **refused;
	const char **reasons;
	size_t nr_refused;
	/* Of a file: its path, which is freed with the names, and that the process does not map it yet; NULL: they are the kernel's. */
	char *binary;
	bool not_loaded;
};

void point_names__init(struct point_names *found, const char *pattern, size_t limit);
/* Keeps a name if it matches and there is room.  Returns 0, or -1: no memory. */
int point_names__offer(struct point_names *found, const char *name);
/* Keeps a name that can't be measured if it matches, as far as there is room; reason stays the caller's.  Returns likewise. */
int point_names__refuse(struct point_names *found, const char *name, const char *reason);
void point_names__free(struct point_names *found);

#endif
