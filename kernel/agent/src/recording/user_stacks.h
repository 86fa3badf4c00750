/* SPDX-License-Identifier: GPL-2.0 */
/* Where in the program threads waited: stacks that the mechanisms' eBPF programs copied, unwound by the files' own tables, as messages. */
#ifndef KVIEW_USER_STACKS_H
#define KVIEW_USER_STACKS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent.pb-c.h"
#include "mechanism/bpf/waits.h"

struct user_stacks;

struct user_stack {
	Kview__Wire__UserStack message;
	uint32_t index;		/* in the list where it was last told; for who tells it */
};

/* Of a process.  NULL: no memory; where its files can't be read none is unwound. */
struct user_stacks *user_stacks__new(pid_t pid);
/* NULL is allowed. */
void user_stacks__free(struct user_stacks *stacks);
/* Fills a map of struct xp_code. */
void user_stacks__tell_code(const struct user_stacks *stacks, int code_fd);
/* A round begins, which has some time of its own.  True: the process maps other code by now, which is to be told anew. */
bool user_stacks__begin(struct user_stacks *stacks);
/*
 * The first number of the same stack as the one of this number in the map; XP_STACK_UNKNOWN: it could not be unwound, or there was no
 * time for it in this round.
 */
uint64_t user_stacks__first(struct user_stacks *stacks, int map, uint64_t number);
/* Of such a first number; valid as long as all.  NULL: there is none. */
struct user_stack *user_stacks__of(const struct user_stacks *stacks, uint64_t first);
/* Whether a thread with that stack waits for such a lock. */
bool user_stacks__waits_for(const struct user_stacks *stacks, uint64_t first, enum xp_holder lock);

#endif
