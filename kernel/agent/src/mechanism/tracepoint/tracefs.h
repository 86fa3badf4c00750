/* SPDX-License-Identifier: GPL-2.0 */
/* The file system in which the kernel names its tracepoints. */
#ifndef KVIEW_TRACEFS_H
#define KVIEW_TRACEFS_H

#include <stdio.h>

#include "base/error.h"

/*
 * A descriptor of its folder, which the caller closes.  Where it is mounted nowhere it is mounted for this descriptor
 * alone: nobody else sees it.  -1: error says why it can't be had.
 */
int tracefs__open(struct error *error);
/* A file in it, for reading; NULL with errno. */
FILE *tracefs__file(int tracefs, const char *path);

#endif
