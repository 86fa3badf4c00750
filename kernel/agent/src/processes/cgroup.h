/* SPDX-License-Identifier: GPL-2.0 */
/* A control group (v2), and all that are below it. */
#ifndef KVIEW_CGROUP_H
#define KVIEW_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct cgroup {
	char path[4096];	/* from the root of the hierarchy, without a "/" at its end */
	int fd;			/* its folder */
	int events_fd;		/* its cgroup.events: EPOLLPRI tells that it may have become empty, or be gone */
	uint64_t id;		/* as the kernel has it, also when the path is another one's later */
	uint32_t level;		/* 0: the root */
};

/*
 * By its path from the root of the hierarchy, or by that of its folder where the hierarchy is mounted.  Symbolic links are
 * not followed.  Returns 0, or -1 with error filled; to be closed in any case.
 */
int cgroup__open(struct cgroup *cgroup, const char *path, struct error *error);
void cgroup__close(struct cgroup *cgroup);

/* Whether a process is in it or below it: -1 with error filled if not. */
int cgroup__check_member(const struct cgroup *cgroup, pid_t pid, struct error *error);
/* Whether it has a process, it or one below it; to be asked again after each EPOLLPRI.  False as well where it is gone. */
bool cgroup__is_populated(const struct cgroup *cgroup);
/* What its processes have had of the CPUs, those with them that are gone; 0: not known. */
uint64_t cgroup__cpu_ns(const struct cgroup *cgroup);

#endif
