/* SPDX-License-Identifier: GPL-2.0 */
/* Which process a number means, and which of its threads live: the first one may end before the others, and has no memory then. */
#ifndef KVIEW_JUMP_THREADS_H
#define KVIEW_JUMP_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_id {
	pid_t pid;
	uint64_t started;	/* by the kernel's clock, as numbers are used again; 0: not known */
};

struct process_id process_id__of(pid_t pid);
/* Whether it is this one still; also one that has ended and is waited for by its parent. */
bool process_id__is(const struct process_id *process);

/* As /proc has it; 'X': it is gone. */
char thread__state(pid_t pid, pid_t tid);
bool thread__has_ended(pid_t pid, pid_t tid);
/* One that lives, the first if it does; 0: none. Its folder in /proc shows the memory of all. */
pid_t thread__living(pid_t pid);

#endif
