/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel watches the threads of a process for, which what it does for probes can fall foul of. */
#ifndef KVIEW_THREAD_POLICIES_H
#define KVIEW_THREAD_POLICIES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct thread_policies {
	bool filtered;		/* system calls of one are filtered (seccomp), whoever set that */
	bool shadow_stack;	/* return addresses of one are held against a second stack (x86) */
};

/* Both where it can't be told.  Kernels without them tell of none. */
void thread_policies__read(struct thread_policies *policies, pid_t pid);

/* Adds what a status file of /proc tells of one thread. */
void thread_policies__add(struct thread_policies *policies, FILE *status);

#endif
