/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that have probes, held open: when probes are attached to them again something else may
 * have their names, where a probe at the same place would harm.
 */
#ifndef KVIEW_HELD_FILES_H
#define KVIEW_HELD_FILES_H

struct held_files;

/* NULL: no memory. */
struct held_files *held_files__new(void);
void held_files__free(struct held_files *files);

/*
 * By what path the file can be opened that had this one when it was first asked for; valid
 * until held_files__free.  The path itself where it can't be held.
 */
const char *held_files__path(struct held_files *files, const char *path);

#endif
