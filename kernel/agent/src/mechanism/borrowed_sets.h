/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sets of kernel views, of whatever process.  The module tells what they counted on a set's own descriptor alone, so a
 * copy of that is taken from its owner, for as long as reading takes: where ptrace(2) would let the agent attach to the
 * owner.  While there is a copy the set outlives its owner, who may close it meanwhile; so none is ever taken of a view
 * or an attachment, whose closing is what makes a process leave its view.
 */
#ifndef KVIEW_BORROWED_SETS_H
#define KVIEW_BORROWED_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kview_item;

/* The copy is closed when this returns.  Returns whether others are wanted, too. */
typedef bool borrowed_set__use(int fd, const struct kview_item *item, void *context);

/* All sets that this process has.  Returns 0, or an errno: they, or some, could not be looked at. */
int borrowed_sets__each(pid_t owner, borrowed_set__use *use, void *context);

/* Why a set of it, or of nobody that is known (0), was not among them, as a sentence. */
void borrowed_sets__why(pid_t owner, int failed, char *why, size_t size);

/* How many sites may be read for one reply: the kernel adds up the counters of each CPU, some ns for each. */
uint32_t borrowed_sets__sites_most(void);

#endif
