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

/* NULL: no memory. */
struct told_threads *told_threads__new(void);
void told_threads__free(struct told_threads *threads);

/*
 * The thread of an FS base: a stamp that the kernel told of no switch to its thread knows nothing else.  thread: 0, or its number, which
 * is remembered then.  0: it is not known.
 */
uint32_t told_threads__by_base(struct told_threads *threads, uint64_t base, uint32_t thread);

/* A call begins at a place on the stack, see inside/layout.h.  Returns how many calls enclose it. */
uint32_t told_threads__enter(struct told_threads *threads, uint32_t thread, uint64_t place, uint64_t ticks, uint64_t begin_ns);
/* It ends: how many calls enclosed it, and when it began.  False: it was not told to have begun. */
bool told_threads__leave(struct told_threads *threads, uint32_t thread, uint64_t place, uint64_t ticks, uint32_t *depth, uint64_t *begin_ns);

#endif
