/* SPDX-License-Identifier: GPL-2.0 */
/* Processes of a cgroup, or of a process tree, that have another file where the probed one is, as in another container, or before an update. */
#ifndef KVIEW_OTHER_FILES_H
#define KVIEW_OTHER_FILES_H

#include <stddef.h>

struct trap;

/* What others pay for probes of many processes, and a sentence about those that there are now: note. */
const char *other_files__tell(const struct trap *trap, char *note, size_t size);

#endif
