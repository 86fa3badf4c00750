/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From the ring buffer to CTF packets: in order of time within each CPU, with every event
 * that found no room counted.
 */
#ifndef KVIEW_EVENTS_H
#define KVIEW_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recording/ctf.h"

struct events;

struct events_opts {
	int ring_fd;
	const uint64_t *dropped;	/* by CPU modulo XP_MAX_CPUS, counted by the eBPF programs */
	uint64_t start_ns;		/* what happened before is left out */
	uint8_t uuid[16];
	pid_t pid;			/* whose threads they are */
	/* A closed packet, valid during the call. */
	void (*packet)(void *context, uint32_t cpu, const struct ctf_packet *packet);
	/* True while packets have to wait: the ring then fills, and the eBPF programs count. */
	bool (*must_wait)(void *context);
	void *context;
};

/* NULL: no memory, or the ring can't be mapped. */
struct events *events__new(const struct events_opts *opts);
void events__free(struct events *events);

/* Becomes readable when the ring is a quarter full. */
int events__fd(const struct events *events);

/* Takes what is in the ring.  Closes packets that are full; all of them with flush. */
void events__drain(struct events *events, bool flush);

/*
 * The last time, once no eBPF program runs any more: takes everything, whoever has to wait,
 * and closes with a packet for each CPU whose drops were not told yet.
 */
void events__finish(struct events *events);

uint64_t events__dropped(const struct events *events);

#endif
