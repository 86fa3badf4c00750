/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the bystander runs: on a CPU that the recorded process leaves alone, if there is one.  One that it may not use may be
 * kept for somebody else, so one that it may use and does not is better.
 */
#ifndef KVIEW_CPU_H
#define KVIEW_CPU_H

#include <sched.h>
#include <sys/types.h>

enum cpu_use {
	CPU_FORBIDDEN = 1,	/* no thread of the process may run there */
	CPU_UNUSED,		/* none ran there */
	CPU_SHARED
};

/* As enum cpu_use; own: where the agent may run, used and allowed: where the process's threads did, and may. */
enum cpu_use cpu__among(const cpu_set_t *own, const cpu_set_t *allowed, const cpu_set_t *used, int *cpu);
/* list: as the kernel writes it, "2-3,5"; anything else is no CPU. */
void cpus__remove(cpu_set_t *cpus, const char *list);
/* Of the process as it is now; none of those that are isolated.  What can't be read of it may be anywhere. */
enum cpu_use cpu__choose(pid_t pid, int *cpu);

#endif
