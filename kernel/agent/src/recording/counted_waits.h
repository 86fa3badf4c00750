/* SPDX-License-Identifier: GPL-2.0 */
/* What the mechanisms' eBPF programs counted of waits, with what is known of it here: which stacks are the same, and which holders are proven. */
#ifndef KVIEW_COUNTED_WAITS_H
#define KVIEW_COUNTED_WAITS_H

#include <stddef.h>
#include <stdint.h>

#include "mechanism/bpf/waits.h"
#include "mechanism/figures.h"
#include "recording/lock_holders.h"
#include "recording/user_stacks.h"

struct counted_wait {
	struct xp_wait_key key;
	struct xp_wait sum;
};

struct counted_waits {
	struct counted_wait *all;	/* [XP_WAITS] */
	struct xp_wait_key *keys;	/* [XP_WAITS]: as they are read */
	struct xp_wait *values;		/* [XP_WAITS] */
	struct lock_holders holders;
};

/* Of a process.  NULL: no memory. */
struct counted_waits *counted_waits__new(pid_t pid);
/* NULL is allowed. */
void counted_waits__free(struct counted_waits *waits);
/* Everything in the map of waits, to all; returns how many; negative: it could not be read. */
int64_t counted_waits__read(struct counted_waits *waits, const struct wait_maps *maps, struct user_stacks *stacks);

/* Everything in any map, at most so many; negative: it could not be read. */
int64_t map__read(int fd, void *keys, void *values, size_t room);

#endif
