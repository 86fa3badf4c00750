/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What runs in a view: a process, a cgroup, or the packets of a queue.  This is a target in the
 * sense of perf; elsewhere in this project a target is a host.
 */
#ifndef KVIEWCTL_TARGET_H
#define KVIEWCTL_TARGET_H

#include <sys/types.h>

#include "libkview.h"

struct target {			/* one of */
	pid_t pid;
	const char *cgroup;
	const char *device;	/* with its queue */
	uint32_t napi_id;

	uint32_t queue;
	uint32_t flags;		/* KVIEW_ATTACH_*, of a process */
};

/* How many of them are given. */
int target__count(const struct target *t);
/* The caller's to free; NULL: stderr says why not.  Exactly one is given. */
struct kview_attachment *target__attach(const struct target *t, struct kview_view *v);
/* The same words for the same target, wherever they are said; cut off at size - 1 bytes. */
void target__label(const struct target *t, char *label, size_t size);

#endif /* KVIEWCTL_TARGET_H */
