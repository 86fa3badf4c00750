/* SPDX-License-Identifier: GPL-2.0 */
/* System calls by their names in the kernel's headers, for the architecture of this agent. */
#ifndef KVIEW_SYSTEM_CALLS_H
#define KVIEW_SYSTEM_CALLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "mechanism/point_names.h"

/* The number, or -1 where these headers know no such name. */
int syscall__number(const char *name);
/* Those that match.  Returns 0, or -1: no memory. */
int syscall__find_names(struct point_names *found);
/* Whether another thread or process returns from it as well, with 0. */
bool syscall__creates(int number);

/* Fills error: there is no such system call.  Returns -1. */
int system_calls__unknown(const char *name, struct error *error);
/* A 32-bit program's system calls have numbers, and functions, of their own.  Returns 0, or -1 with error filled. */
int system_calls__check_process(pid_t pid, struct error *error);

#endif
