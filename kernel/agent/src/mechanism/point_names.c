// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "mechanism/point_names.h"

void point_names__init(struct point_names *found, const char *pattern, size_t limit)
{
	memset(found, 0, sizeof(*found));
	name_pattern__init(&found->pattern, pattern);
	found->limit = limit ?: POINT_NAMES_LIMIT;
	if (found->limit > POINT_NAMES_MOST)
		found->limit = POINT_NAMES_MOST;
}

int point_names__offer(struct point_names *found, const char *name)
{
	char **more;

	if (!name_pattern__matches(&found->pattern, name))
		return 0;
	found->total++;
	if (found->nr >= found->limit)
		return 0;
	/* Doubled whenever it is full. */
	if (!(found->nr & (found->nr - 1))) {
		more = realloc(found->names, (found->nr ? 2 * found->nr : 1) * sizeof(*more));
		if (!more)
			return -1;
		found->names = more;
	}
	found->names[found->nr] = strdup(name);
	return found->names[found->nr++] ? 0 : -1;
}

int point_names__refuse(struct point_names *found, const char *name, const char *reason)
{
	const char **reasons;
	char **refused;

	if (!name_pattern__matches(&found->pattern, name) || found->nr_refused >= found->limit)
		return 0;
	refused = realloc(found->refused, (found->nr_refused + 1) * sizeof(*refused));
	if (!refused)
		return -1;
	found->refused = refused;
	reasons = realloc(found->reasons, (found->nr_refused + 1) * sizeof(*reasons));
	if (!reasons)
		return -1;
	found->reasons = reasons;
	reasons[found->nr_refused] = reason;
	refused[found->nr_refused] = strdup(name);
	return refused[found->nr_refused++] ? 0 : -1;
}

void point_names__free(struct point_names *found)
{
	while (found->nr_refused)
		free(found->refused[--found->nr_refused]);
	free(found->refused);
	free(found->reasons);
	free(found->binary);
	while (found->nr)
		free(found->names[--found->nr]);
	free(found->names);
}
