/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the compiler put into their callers, as the debug information of a file (DWARF
 * 2 to 5) has them.  All of it is the file's claim: read within limits of size and time, beyond
 * which nothing is known.
 */
#ifndef KVIEW_INLINED_H
#define KVIEW_INLINED_H

#include "lookup/elf_file.h"
#include "lookup/names.h"

#define INLINED_CALLERS 3

struct inlined {
	bool found;		/* the file says that such a function was inlined */
	size_t places;		/* where, as far as it was read */
	char *callers[INLINED_CALLERS + 1];	/* some of the functions it is in; NULL-terminated */
};

/* Fills inlined, to be freed, with what file says of functions that match. */
void inlined__find(struct inlined *inlined, const struct elf_file *file,
		   const struct name_pattern *pattern);
/* A NULL-terminated array of the caller's, or NULL if none is known. */
char **inlined__take_callers(struct inlined *inlined);
void inlined__free(struct inlined *inlined);

#endif
