/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel says of a process's threads that probes may get in the way of: restrictions that it enforces, and handlers. */
#ifndef KVIEW_THREAD_POLICIES_H
#define KVIEW_THREAD_POLICIES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct thread_policies {
	bool filtered;		/* a thread's system calls are filtered (seccomp) */
	bool shadow_stack;	/* a thread's returns are compared with a second stack (x86) */
	bool lives;		/* a thread is alive */
	bool handles_faults;	/* it has a handler of its own for SIGSEGV, SIGBUS or SIGFPE */
};

/*
 * Reads the policies of all threads, or of the first one that is alive.  All are set, and false is returned, if they are
 * not known, as of a process that has ended; kernels without a feature report that it is not used.
 */
bool thread_policies__read(struct thread_policies *policies, pid_t pid, bool of_all);

/* Looks at one thread only: all get it when the program begins. */
bool process__has_shadow_stacks(pid_t pid);

/* The process that traces it, as strace and debuggers do; 0: nobody, or it is not known. */
pid_t process__tracer(pid_t pid);

/* Adds what a status file in /proc says about one thread. */
void thread_policies__add(struct thread_policies *policies, FILE *status);

#endif
