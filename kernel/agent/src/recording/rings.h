/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the ring buffers of a recording's mechanisms.  Records of one ring come roughly in the order
 * of time, and rings__settled_ns says up to where nothing is missing of any ring.
 */
#ifndef KVIEW_RINGS_H
#define KVIEW_RINGS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/bpf/events.h"
#include "mechanism/mechanisms.h"

union any_event {
	struct xp_event head;
	struct xp_event_call call;
	struct xp_event_exit_causes exit;
	struct xp_event_wakeup wakeup;
};

struct rings;

struct rings_opts {
	const struct mechanisms_ring *rings;	/* at least one; they must stay valid */
	size_t nr;
	uint64_t start_ns;		/* what happened before is left out */
	/* Points are named by the recording's ids.  NULL: the record makes no sense, it is lost. */
	void (*event)(void *context, uint32_t cpu, const union any_event *event);
	void *context;
};

/* NULL: no memory, or a ring can't be mapped; errno says which. */
struct rings *rings__new(const struct rings_opts *opts);
void rings__free(struct rings *rings);

/* Becomes readable when a ring is a quarter full. */
int rings__fd(const struct rings *rings);
/* Takes some records of each ring.  now_ns: a look at the clock, just before.  False: there are none for now. */
bool rings__read(struct rings *rings, uint64_t now_ns);
/* No event that is still to be read is older. */
uint64_t rings__settled_ns(const struct rings *rings);
/* Events of a CPU, modulo XP_MAX_CPUS, that found no room in their ring. */
uint64_t rings__dropped(const struct rings *rings, uint32_t cpu);

#endif
