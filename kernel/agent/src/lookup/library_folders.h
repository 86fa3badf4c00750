/* SPDX-License-Identifier: GPL-2.0 */
/* Where a process's dynamic linker would look for a library that it is asked to load. */
#ifndef KVIEW_LIBRARY_FOLDERS_H
#define KVIEW_LIBRARY_FOLDERS_H

#include "lookup/process_files.h"

/*
 * The folders that its program names (RPATH, RUNPATH), LD_LIBRARY_PATH as it was started with,
 * those of the files that it maps and those that every system has, in this order and as the
 * process sees them.  Which one a program takes is its own affair: a library can be loaded by
 * its path from anywhere.  NULL-terminated and the caller's, or NULL without memory.
 */
char **library_folders__of(const struct process_files *files, pid_t pid);
void library_folders__free(char **folders);

#endif
