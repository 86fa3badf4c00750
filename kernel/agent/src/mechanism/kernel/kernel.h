/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of kernel functions by a process's threads, measured by eBPF programs at the functions' entries and
 * returns: in the process's own view of the kernel, or where all processes pass them.  It serves root alone.
 */
#ifndef KVIEW_KERNEL_H
#define KVIEW_KERNEL_H

#include "mechanism/mechanism.h"

/* Whether some way to measure them is there, be it a view.  Returns 0, or -1 with error filled. */
int kernel_functions__can(struct error *error);

extern const struct mechanism_kind kernel_kind;

#endif
