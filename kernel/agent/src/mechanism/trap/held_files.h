/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that have probes, kept open.  When probes are attached to them again, another file may have
 * their names by then, in which a probe at the same place would do harm.
 */
#ifndef KVIEW_HELD_FILES_H
#define KVIEW_HELD_FILES_H

#include <stdbool.h>

#include "mechanism/trap/places.h"

struct held_files;

/*
 * NULL: no memory.  Without raising, a file that gives rights to whoever executes it (setuid, setgid, file
 * capabilities) is refused: a process that maps it may execute it, and takes the probes along.
 */
struct held_files *held_files__new(bool raising);
void held_files__free(struct held_files *files);

/*
 * The path by which the file of a place can be opened.  It leads to the same file that was examined
 * when the place was found, even if another file has its name by now.  It is a regular file, so
 * that opening it neither blocks nor acts.  Valid until held_files__free.  NULL with errno set:
 * ESTALE where the name leads to another file, EISNAM where it gives rights.
 */
const char *held_files__path(struct held_files *files, const struct place *place);

#endif
