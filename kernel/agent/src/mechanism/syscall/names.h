/* SPDX-License-Identifier: GPL-2.0 */
/* System calls by their names in the kernel's headers, for the architecture of this agent. */
#ifndef KVIEW_SYSCALL_NAMES_H
#define KVIEW_SYSCALL_NAMES_H

#include <stdbool.h>

#include "mechanism/point_names.h"

/* The number, or -1 where these headers know no such name. */
int syscall__number(const char *name);
/* Those that match.  Returns 0, or -1: no memory. */
int syscall__find_names(struct point_names *found);
/* Whether another thread or process returns from it as well, with 0. */
bool syscall__creates(int number);

#endif
