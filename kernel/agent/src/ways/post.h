/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All system calls of all processes, told to the agent, which filters.  For comparison with other ways alone: each process of
 * the host pays for it as the one does that is meant.
 *
 *	post__load  ->  attach  ->  collect, again and again  ->  detach  ->  free
 */
#ifndef KVIEW_WAYS_POST_H
#define KVIEW_WAYS_POST_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct post;

struct post_counts {
	uint64_t told;		/* of all processes */
	uint64_t not_told;	/* for which there was no room */
	uint64_t seen;		/* of the process, entries of the system call alone */
};

/* number: of the system call that is meant.  NULL: error says why not. */
struct post *post__load(pid_t pid, int number, struct error *error);
/* Returns 0, or -1 with error filled: then nothing is attached. */
int post__attach(struct post *post, struct error *error);
/* Reads what was told until now, and filters it.  NULL is allowed. */
void post__collect(struct post *post);
/* All that was told is counted then; NULL is allowed. */
void post__detach(struct post *post);
struct post_counts post__counts(const struct post *post);
/* NULL is allowed. */
void post__free(struct post *post);

#endif
