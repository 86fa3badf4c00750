/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether those that locks are said to be held by can hold them: whether there are threads of those numbers, where the kernel could not
 * be asked as the wait began (before Linux 6.2); and whether other processes share the lock.  Their numbers in a lock are those of their
 * own PID namespaces, so by a number alone somebody might be meant who has nothing to do with it.
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
	struct lock_sharer {
		uint32_t pid;
		uint64_t lock;
		bool shares;
	} sharers[MOST_HOLDERS];	/* that were looked for once */
	uint32_t nr_sharers;
	uint64_t until_ns, took_ns;	/* of the thread's CPU time, for looking at them */
};

void lock_holders__init(struct lock_holders *holders, pid_t pid);
/* A thread of the process, or one that was there at an earlier look; NULL: there is none. */
const struct lock_holder *lock_holders__of(struct lock_holders *holders, uint32_t tid);

/* A round begins, which has some time of its own. */
void lock_holders__begin(struct lock_holders *holders);
/*
 * Whether another process (by the host's number) has the same PID namespace, and maps the same memory of a file, or without a file, where the
 * process has that lock.  False: no, or it is not known, as it has ended.
 */
bool lock_holders__share(struct lock_holders *holders, uint32_t pid, uint64_t lock);

#endif
