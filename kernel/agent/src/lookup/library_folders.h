/* SPDX-License-Identifier: GPL-2.0 */
/* The folders in which a process's dynamic linker would look for a library. */
#ifndef KVIEW_LIBRARY_FOLDERS_H
#define KVIEW_LIBRARY_FOLDERS_H

#include "lookup/process_files.h"

/*
 * The folders that its program names (RPATH, RUNPATH), those of the LD_LIBRARY_PATH that it was
 * started with, those of the files that it maps, and those that every system has; in this order and
 * as the process sees them.  This is a guess: a program can load a library from any path.
 * NULL-terminated, and freed by the caller; NULL without memory.
 */
char **library_folders__of(const struct process_files *files, pid_t pid);
void library_folders__free(char **folders);

#endif
