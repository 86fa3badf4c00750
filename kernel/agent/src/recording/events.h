/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes CTF packets of what the sources of events hand over.  The events of each CPU are in the order of
 * time, whichever source they come by, and every event that found no room there is counted.
 */
#ifndef KVIEW_EVENTS_H
#define KVIEW_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "mechanism/mechanisms.h"
#include "recording/ctf.h"

struct events;

struct events_opts {
	const struct mechanisms_source *sources;	/* at least one; they must stay valid */
	size_t nr_sources;
	uint64_t start_ns;		/* what happened before is left out */
	uint8_t uuid[16];
	pid_t pid;			/* whose threads they are */
	/* A closed packet, valid during the call. */
	void (*packet)(void *context, uint32_t cpu, const struct ctf_packet *packet);
	/* True while packets have to wait: the rings then fill, and the eBPF programs count. */
	bool (*must_wait)(void *context);
	void *context;
};

/* How large the ring of the eBPF programs' events has to be on this host. */
uint32_t events__ring_bytes(void);

/* NULL: no memory, or a ring can't be mapped. */
struct events *events__new(const struct events_opts *opts);
void events__free(struct events *events);

/* As sources__fd. */
int events__fd(const struct events *events);

/* Takes what there is.  Closes packets that are full; all of them with flush. */
void events__drain(struct events *events, bool flush);

/*
 * To be called last, when no eBPF program runs any more.  Takes all that is left, even while
 * packets should wait, and ends with a packet for each CPU with dropped events that were not
 * reported yet.
 */
void events__finish(struct events *events);

uint64_t events__dropped(const struct events *events);

#endif
