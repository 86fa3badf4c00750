/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that a measured one forked, directly or not: they go on with the jumps, whose stamps do nothing there, and have no use
 * for them.
 */
#ifndef KVIEW_JUMP_CHILDREN_H
#define KVIEW_JUMP_CHILDREN_H

#include "place/remote.h"

struct freed_children {
	size_t freed, left;
	pid_t left_pid;			/* one of those that still have them */
	uint64_t jumps;			/* that were restored */
};

/* Restores the code of all that live now.  Of what was found in such a process itself there are none. */
void remote__free_children(const struct remote *remote, struct freed_children *to);

#endif
