/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether there are threads of those numbers that locks are said to be held by, where the kernel could not be asked as the
 * wait began (before Linux 6.2).
 */
#ifndef KVIEW_LOCK_HOLDERS_H
#define KVIEW_LOCK_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MOST_HOLDERS	1024

struct lock_holders {
	pid_t pid;
	bool has_numbers_of_its_own;	/* in another namespace than the agent's: which thread is meant is not known then */
	struct lock_holder {
		uint32_t tid;
		char name[16];
	} known[MOST_HOLDERS];		/* that were seen once: they may have ended since */
	uint32_t nr;
};

void lock_holders__init(struct lock_holders *holders, pid_t pid);
/* A thread of the process, or one that was there at an earlier look; NULL: there is none. */
const struct lock_holder *lock_holders__of(struct lock_holders *holders, uint32_t tid);

#endif
