/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All threads of a process, stopped for a moment.  Who stopped them may die at any time: the kernel then lets them go
 * on, with the signals that they were about to get.
 */
#ifndef KVIEW_JUMP_STOPPED_H
#define KVIEW_JUMP_STOPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "place/threads.h"

struct stopped_thread {
	pid_t tid;		/* 0: it has ended */
	bool is_stopped;
	bool was_asked;		/* it stopped because it was asked to, and for no signal */
	int signal;		/* that it is about to get */
};

struct stopped {
	pid_t pid;
	int memory;		/* /proc/PID/mem */
	bool is_own;		/* it was stopped and traced by this thread before, and stays so */
	struct stopped_thread *threads;
	size_t nr, room;
	uint64_t since_ns;	/* by stopped__now_ns */
};

/*
 * Called before anything is done to a process that stands, whose threads then all stand: false, with error, if it may not be changed.
 * Unless it is set, all may.
 */
extern bool (*stopped__may_change)(pid_t pid, struct error *error);

/*
 * Stops all threads, calls work, and lets them go on; one that the calling thread traces already, and that stands, stays as it is.  What it can't do at the moment (ERR_BUSY) is tried again, for
 * stopped__patience_ns.  No process but this one may use the memory meanwhile.  Returns what work does, or -1 with error.
 * longest_ns, the longest that any thread stood, grows with it.
 */
int stopped__work(const struct process_id *process, int (*work)(struct stopped *stopped, void *context, struct error *error),
		  void *context, uint64_t *longest_ns, struct error *error);

/* Waits for the next stop of one of them; its status, or -1 if it is gone or does not stop. */
int stopped__wait(const struct stopped *stopped, struct stopped_thread *thread);

/* One that has not ended: by its number the memory of all is found in /proc. */
pid_t stopped__living(const struct stopped *stopped);

/* How many of them share this one's open files, with it. */
int stopped__same_files(const struct stopped *stopped, pid_t tid);

uint64_t stopped__now_ns(void);

/* 5 s, unless it is set. */
extern uint64_t stopped__patience_ns;

/* Called between any two steps that change something in a process: for tests, which end it there. */
extern void (*place__step)(void);

#endif
