/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a recording of a cgroup still has a process to measure. */
#ifndef KVIEW_MEMBERS_H
#define KVIEW_MEMBERS_H

#include "base/loop.h"
#include "recording/scope_members.h"

struct members {
	struct loop *loop;
	struct loop_source source;
	const struct scope_members *watched;
	void (*gone)(void *context);	/* there is none */
	void *context;
};

/* Returns 0, or -1: the kernel does not tell. */
int members__watch(struct members *members, struct loop *loop, const struct scope_members *watched, void (*gone)(void *context),
		   void *context);
void members__ignore(struct members *members);

#endif
