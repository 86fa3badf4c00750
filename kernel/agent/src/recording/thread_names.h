/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of one process that events have told of, and the names they were given. */
#ifndef KVIEW_THREAD_NAMES_H
#define KVIEW_THREAD_NAMES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recording/ctf.h"

struct thread_names;

/* NULL: no memory. */
struct thread_names *thread_names__new(pid_t pid);
void thread_names__free(struct thread_names *names);

/*
 * A thread did something at time_ns, on CLOCK_MONOTONIC.  Returns true the first time for each
 * thread, and fills name with the thread's current name, or with "" if that can't be read any
 * more.  Returns false if there is no memory.
 */
bool thread_names__meet(struct thread_names *names, uint32_t tid, uint64_t time_ns,
			char name[CTF_NAME_BYTES + 1]);

/*
 * The thread ended at time_ns: a later thread with its number is another one.  Events of the
 * ended thread from another CPU may still come.
 */
void thread_names__end(struct thread_names *names, uint32_t tid, uint64_t time_ns);

/*
 * No event from before time_ns will come any more: forgets the threads that had ended by then.
 */
void thread_names__told_until(struct thread_names *names, uint64_t time_ns);

/* Calls back for each thread that still lives and has another name than the one told. */
void thread_names__changed(struct thread_names *names,
			   void (*changed)(void *context, uint32_t tid, const char *name),
			   void *context);

#endif
