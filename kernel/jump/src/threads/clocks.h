/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the threads of a process have run, in memory that the scheduler's programs write and that the process maps to read
 * it from its stamps: see inside/layout.h.
 */
#ifndef KVIEW_JUMP_CLOCKS_H
#define KVIEW_JUMP_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct thread_clocks {
	struct threads_bpf *programs;	/* NULL: not open */
	int file;			/* to map; only for reading */
	size_t bytes;			/* whole pages */
	uint32_t nr;			/* processors that there may be */
	/* Where events of threads are told, see bpf/events.h; -1: they are not. */
	int events;
	const uint64_t *events_dropped;	/* without room, by processor */
};

/*
 * Loads the programs, which watch nobody yet.  ring_bytes: room for events of threads, a power of two; 0: none are told.  Returns 0, or -1 with error: the kernel can't do it, or rights are
 * missing.  Close in both cases.
 */
int thread_clocks__open(struct thread_clocks *clocks, uint32_t ring_bytes, struct error *error);
/*
 * They go from now on, up to thread_clocks__close, or until the process ends or executes another program.  tid: one of its threads, as
 * the caller's PID namespace numbers it; unless it is the caller's own, none of them may run.  files_users: how many threads, of any
 * process, share that thread's open files.  Returns 0, or -1 with error.
 */
int thread_clocks__watch(struct thread_clocks *clocks, pid_t tid, int *files_users, struct error *error);
/* Events are told from now on, or no more. */
void thread_clocks__tell(struct thread_clocks *clocks, bool tells);
/* Where they are mapped they stand still from now on. */
void thread_clocks__close(struct thread_clocks *clocks);

/* What a processor needs so that stamps know where and in which thread they run.  Returns 0, or -1 with error. */
int thread_clocks__check_processor(struct error *error);
/* The calling thread knows its clock by this; only where the processor has what is needed. */
uint64_t thread_clocks__own_base(void);

#endif
