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
	bool lives;		/* one does */
};

/*
 * Of all threads, or of the first that lives.  Both where it can't be told; kernels without them tell
 * of none.
 */
void thread_policies__read(struct thread_policies *policies, pid_t pid, bool of_all);

/* By one thread: the others have it from where the program began. */
bool process__has_shadow_stacks(pid_t pid);

/* Adds what a status file of /proc tells of one thread. */
void thread_policies__add(struct thread_policies *policies, FILE *status);

#endif
