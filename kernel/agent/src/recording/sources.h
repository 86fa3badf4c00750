/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a recording's events come from: the ring buffers of eBPF programs, and what mechanisms read themselves.  This is the
 * one place where sources of both kinds are the same: events.c merges, by time, what any of them hands over.  Events of one
 * source come roughly in the order of time, and sources__settled_ns says up to where nothing is missing of any of them.
 */
#ifndef KVIEW_SOURCES_H
#define KVIEW_SOURCES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/events.h"
#include "mechanism/mechanisms.h"

union any_event {
	struct xp_event head;
	struct xp_event_call call;
	struct xp_event_exit_causes exit;
	struct xp_event_wakeup wakeup;
};

struct sources;

struct sources_opts {
	const struct mechanisms_source *sources;	/* at least one; they must stay valid */
	size_t nr;
	uint64_t start_ns;		/* what happened before is left out */
	/* Points are named by the recording's ids.  NULL: the record makes no sense, it is lost. */
	void (*event)(void *context, uint32_t cpu, const union any_event *event);
	void *context;
};

/* NULL: no memory, or a ring can't be mapped; errno says which. */
struct sources *sources__new(const struct sources_opts *opts);
void sources__free(struct sources *sources);

/* Becomes readable when a ring is a quarter full, or a reader's own descriptor is. */
int sources__fd(const struct sources *sources);
/* Takes some events of each.  now_ns: a look at the clock, just before.  False: there are none for now. */
bool sources__read(struct sources *sources, uint64_t now_ns);
/* No event that is still to be read is older. */
uint64_t sources__settled_ns(const struct sources *sources);
/* Events of a CPU, modulo XP_MAX_CPUS, that found no room. */
uint64_t sources__dropped(const struct sources *sources, uint32_t cpu);

#endif
