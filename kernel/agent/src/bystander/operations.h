/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process can do again and again without any effect, to see whether it takes longer while others are
 * recorded: system calls, and a switch of its CPU from one of its threads to the other.
 */
#ifndef KVIEW_OPERATIONS_H
#define KVIEW_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The switch, and a system call that does next to nothing: they are tried whatever is recorded. */
#define OPERATION_SWITCH	0
#define OPERATION_GENERAL	1

#define DEVICE_NULL		3
#define DEVICE_ZERO		5

/* How many there are; they are numbered from 0. */
size_t operations__nr(void);
/* For the user: "read() of /dev/zero". */
const char *operation__name(size_t operation);
/* Those that make a system call, or come to a function of the kernel or to one of its tracepoints; -1: none is known to. */
int operation__of_system_call(const char *name);
int operation__of_kernel_function(const char *name);
int operation__of_tracepoint(const char *system, const char *name);

/*
 * Opens what the operations need, and starts the thread for the switch; once, in the process that runs them.  Both
 * threads stay on the CPU that this one is on.
 */
void operations__prepare(void);
/*
 * Of the kernel's devices of memory, that with this minor number; -1: what has its name is not that one.  In a container anything
 * may have it, and would be written to.
 */
int device__open(const char *path, int flags, unsigned int minor);
/* Whether it can be tried here: a file is there, a thread was to be had. */
bool operation__is_possible(size_t operation);
/* Does it so many times. */
void operation__run(size_t operation, uint32_t times);

#endif
