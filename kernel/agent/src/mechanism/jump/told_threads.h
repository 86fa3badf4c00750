/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls that each thread is in, by what the stamps tell in the order of time: how deep a call is nested, and when it was said to have
 * begun.
 */
#ifndef KVIEW_JUMP_TOLD_THREADS_H
#define KVIEW_JUMP_TOLD_THREADS_H

#include <stdbool.h>
#include <stdint.h>

struct told_threads;

/* A thread: its number, and what tells it from the next one that has that number; 0: that is not known. */
struct told_id {
	uint32_t tid, born;
};

/* NULL: no memory. */
struct told_threads *told_threads__new(void);
void told_threads__free(struct told_threads *threads);

/*
 * The thread of an FS base: a stamp that the kernel told of no switch to its thread knows nothing else.  id: tid is 0, or the thread
 * is remembered.  tid 0: it is not known.
 */
struct told_id told_threads__by_base(struct told_threads *threads, uint64_t base, struct told_id id);

/*
 * A call begins at a place on the stack, see inside/layout.h.  Returns how many calls enclose it: none of those that a thread with the same
 * number was in when it ended.
 */
uint32_t told_threads__enter(struct told_threads *threads, struct told_id id, uint64_t place, uint64_t ticks, uint64_t begin_ns);
/* It ends: how many calls enclosed it, and when it began.  False: it was not told to have begun. */
bool told_threads__leave(struct told_threads *threads, struct told_id id, uint64_t place, uint64_t ticks, uint32_t *depth, uint64_t *begin_ns);

#endif
