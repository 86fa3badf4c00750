/* SPDX-License-Identifier: GPL-2.0 */
/* Cgroups for tests: one with a child, and another. */
#ifndef KVIEW_TEST_CGROUPS_H
#define KVIEW_TEST_CGROUPS_H

#include <sys/types.h>

#define ROOT	"/sys/fs/cgroup"
#define TOP	ROOT "/kv"
#define SUB	TOP "/sub"
#define OTHER	ROOT "/other"

void cgroups_make(void);
void cgroups_remove(void);
void cgroup_remove(const char *path);
/* Moved by whoever calls this; it has happened when this returns. */
void cgroup_move(pid_t pid, const char *cgroup);

#endif /* KVIEW_TEST_CGROUPS_H */
