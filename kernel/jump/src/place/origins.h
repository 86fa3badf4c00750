/* SPDX-License-Identifier: GPL-2.0 */
/* Where in the program a thread is that runs what jumps lead to: for who looks at its stack, and only knows the program. */
#ifndef KVIEW_JUMP_ORIGINS_H
#define KVIEW_JUMP_ORIGINS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct origins;

/* Of all jumps that a process has now, whoever put them.  NULL: it has none. */
struct origins *origins__read(pid_t pid);
void origins__free(struct origins *origins);
/* False: at the place of one there is another by now. */
bool origins__are_current(const struct origins *origins, pid_t pid);

/* A word of the thread's stack; false: it is not known. */
typedef bool origins__word(const void *context, uint64_t address, uint64_t *word);
/*
 * Changes the instruction pointer to that of the instruction that was overwritten and runs next, and the stack pointer to what it
 * is there.  False: the thread is not in such code, or it is not known where; then nothing is changed.
 */
bool origins__find(const struct origins *origins, origins__word *word, const void *context, uint64_t *ip, uint64_t *sp);

#endif
