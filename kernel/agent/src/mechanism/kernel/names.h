/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the kernel that can be probed, by their names. */
#ifndef KVIEW_KERNEL_NAMES_H
#define KVIEW_KERNEL_NAMES_H

#include "base/error.h"
#include "mechanism/point_names.h"

/*
 * Those of the kernel image that match, and that one function alone is called.  Returns 0, or -1 with error
 * filled: NO_SUCH_FUNCTION, NOT_PROBEABLE where several have the one name that is asked for, or FAILED.
 */
int kernel_names__find(struct point_names *found, const char *pattern, struct error *error);

#endif
