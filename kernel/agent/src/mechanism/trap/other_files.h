/* SPDX-License-Identifier: GPL-2.0 */
/* Processes of a cgroup that have another file where the probed one is, as in another container, or before an update. */
#ifndef KVIEW_OTHER_FILES_H
#define KVIEW_OTHER_FILES_H

#include <stddef.h>

struct cgroup;
struct probes;

/* What others pay for probes of a cgroup, and a sentence about those that there are now: note. */
const char *other_files__tell(const struct cgroup *cgroup, const struct probes *probes, char *note, size_t size);

#endif
