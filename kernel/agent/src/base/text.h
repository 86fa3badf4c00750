/* SPDX-License-Identifier: GPL-2.0 */
/* Names of files and symbols as text. */
#ifndef KVIEW_TEXT_H
#define KVIEW_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool is_among(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* names: an array. */
#define is_one_of(name, names) is_among(name, names, sizeof(names) / sizeof((names)[0]))

/* What follows the last slash; all of it where there is none. */
static inline const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

#endif
