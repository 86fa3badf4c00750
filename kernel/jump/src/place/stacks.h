/* SPDX-License-Identifier: GPL-2.0 */
/* Whether something on the stacks of stopped threads leads to given addresses, as a signal's frame or a return does. */
#ifndef KVIEW_JUMP_STACKS_H
#define KVIEW_JUMP_STACKS_H

#include "place/regions.h"
#include "place/stopped.h"

struct wanted_addresses {
	uint64_t low, high;	/* all are from low on and below high */
	bool (*is_one)(const void *context, uint64_t address);
	const void *context;
};

/*
 * Looks at each aligned word from a thread's stack pointer up to the end of what is mapped there, and then the same where
 * frames of signals come from.  0: none; -1 with error: there is one, or a stack is too large to be looked through.  Not
 * seen are contexts that no thread is in, like those of a scheduler that leaves a signal's handler for another stack.
 */
int stacks__check(const struct stopped *stopped, const struct regions *regions,
		  const struct wanted_addresses *wanted, struct error *error);

/* By architecture: whether the words are those from the stack pointer on within a frame of a signal; then sp is that. */
bool stacks__is_frame(const uint64_t *words, size_t left, uint64_t *sp);
/* By architecture: where a stopped thread is.  False if it is gone. */
bool thread__position(pid_t tid, uint64_t *ip, uint64_t *sp);
bool thread__set_ip(pid_t tid, uint64_t ip);

#endif
