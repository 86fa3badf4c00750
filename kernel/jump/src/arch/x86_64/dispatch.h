/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a thread's system calls come back to it, as Wine has it: see prctl(2), PR_SET_SYSCALL_USER_DISPATCH. */
#ifndef KVIEW_JUMP_DISPATCH_H
#define KVIEW_JUMP_DISPATCH_H

#include <stdint.h>
#include <sys/ptrace.h>

#ifndef PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG
#define PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG 0x4211
#endif

struct syscall_dispatch {
	uint64_t mode, selector, offset, length;
};

/* Reads that of a thread that stands; -1: kernels before 6.4 do not tell. */
static inline long syscall_dispatch__read(struct syscall_dispatch *dispatch, pid_t tid)
{
	return ptrace(PTRACE_GET_SYSCALL_USER_DISPATCH_CONFIG, tid, sizeof(*dispatch), dispatch);
}

#endif
