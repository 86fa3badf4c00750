/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls that a stopped process makes for us.
 *
 * A thread gets other registers for it.  They are chosen so that the thread gets its own registers
 * back by itself if this program dies: a signal frame with these registers lies at the unused end
 * of its stack, and after the system call the thread executes the code that ends a signal's
 * handler.  The only effect then: a system call with a time limit in which the thread was waiting
 * ends with EINTR.
 */
#ifndef KVIEW_JUMP_INJECT_H
#define KVIEW_JUMP_INJECT_H

#include <stdint.h>
#include <sys/user.h>

#include "place/regions.h"
#include "place/stopped.h"

/* Code of a process that is used for it. */
struct call_code {
	uint64_t call, resume;		/* "syscall; ret", and the end of a signal's handler */
};

/* May be done before it is stopped, as much is read.  Returns 0, or -1 with error. */
int call_code__find(struct call_code *code, pid_t pid, struct error *error);

/*
 * Whether the kernel tells what has to be known of a process before; asked with a child that is made for it.  Returns 0, or -1 with
 * error.
 */
int injector__check_kernel(struct error *error);

struct injector {
	struct stopped *stopped;
	struct stopped_thread *thread;
	struct user_regs_struct own;	/* what it had */
	uint64_t mask;			/* the signals that it blocks */
	struct call_code code;
	uint64_t room;			/* at the end of its stack */
	uint64_t stack;			/* where its stack pointer is meanwhile */
	bool began;
};

/*
 * Chooses a thread, without a shadow stack and whose system calls nobody filters or takes.  Returns 0, or -1 with
 * error, and nothing has changed but memory that was never used.
 */
int injector__init(struct injector *injector, struct stopped *stopped, const struct regions *regions,
		   const struct call_code *code, struct error *error);
/* The kernel's answer; -ESRCH if the thread is gone.  At most six arguments, the rest is 0. */
long injector__call(struct injector *injector, long number, const uint64_t arguments[6]);
/* One that answers 0 or, for mmap, the address that was asked for: else -1 with error, by what the process can't do. */
int injector__do(struct injector *injector, const char *what, long number, const uint64_t arguments[6], struct error *error);
/* The thread has its registers again.  False if it is gone. */
bool injector__end(struct injector *injector);

#endif
