/* SPDX-License-Identifier: GPL-2.0 */
/* When another thread sleeps: who wakes it then ends a wait, and none that is still to begin. */
#ifndef TRACED_SLEEPERS_H
#define TRACED_SLEEPERS_H

#include "common.h"

/* Whether a thread sleeps in that system call: the kernel tells it of one that has left its CPU, and of no other. */
static inline int waits_in(pid_t pid, pid_t tid, long syscall)
{
	long nr = -1;
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%ld", &nr) != 1)
		nr = -1;
	if (file)
		fclose(file);
	return nr == syscall;
}

#endif
