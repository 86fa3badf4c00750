/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoints by the names of their events, as the kernel's tracefs has them. */
#ifndef KVIEW_TRACEPOINT_NAMES_H
#define KVIEW_TRACEPOINT_NAMES_H

#include <stdbool.h>

#include "base/error.h"
#include "mechanism/point_names.h"

/*
 * Those that match "SYSTEM:NAME".  Returns 0, or -1 with error filled: NO_SUCH_FUNCTION, NOT_PROBEABLE where none of
 * those that match can be measured, and what tracefs__open() says.
 */
int tracepoint_names__find(struct point_names *found, const char *pattern, struct error *error);
/* Whether that one is there and can be measured; tracefs is a descriptor of its folder.  Returns 0, or -1 with error filled. */
int tracepoint_names__check(int tracefs, const char *category, const char *name, struct error *error);

/* The names of all, one a line, which the caller frees; NULL: they can't be read. */
char *tracepoint_names__all(int tracefs);
/* Whether two of these have that name, in different systems: the kernel finds a raw tracepoint by its name alone. */
bool tracepoint_names__is_ambiguous(const char *all, const char *name);

#endif
