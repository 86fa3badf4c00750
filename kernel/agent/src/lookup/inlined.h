/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that the compiler inlined into their callers, according to a file's debug information
 * (DWARF 2 to 5).  The file may claim anything.  It is read within limits of size and time; nothing
 * is known beyond these.
 */
#ifndef KVIEW_INLINED_H
#define KVIEW_INLINED_H

#include "lookup/elf_file.h"
#include "lookup/names.h"

#define INLINED_CALLERS 3

struct inlined {
	bool found;		/* the file says that such a function was inlined */
	size_t places;		/* in how many places, as far as it was read */
	char *callers[INLINED_CALLERS + 1];	/* some of them; NULL-terminated */
};

/* Fills inlined, which is to be freed, with what file says about matching functions. */
void inlined__find(struct inlined *inlined, const struct elf_file *file,
		   const struct name_pattern *pattern);
/* A NULL-terminated array that the caller frees, or NULL if none is known. */
char **inlined__take_callers(struct inlined *inlined);
void inlined__free(struct inlined *inlined);

#endif
