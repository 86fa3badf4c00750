/* SPDX-License-Identifier: GPL-2.0 */
/* CTF 1.8 as trace.tsdl describes it: the metadata text, and packets of one stream a CPU. */
#ifndef KVIEW_CTF_H
#define KVIEW_CTF_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/events.h"

/* Room for an event and for the thread-name event that may precede it. */
#define CTF_EVENT_MAX_BYTES	200
#define CTF_NAME_BYTES		16

struct ctf_trace {
	uint8_t uuid[16];
	int64_t realtime_offset_ns;
	const char *hostname;
	pid_t traced_pid;	/* target_pid in the trace, by an older word */
	const char *const *function_names;	/* by id; any bytes */
	size_t nr_functions;
};

/* The metadata text; the caller frees it.  NULL: no memory. */
char *ctf__metadata(const struct ctf_trace *trace);

/* Writes the event at bytes, which has room for CTF_EVENT_MAX_BYTES; returns its length. */
size_t ctf__event(uint8_t *bytes, const struct xp_event *event);

struct ctf_packet {
	uint8_t *bytes;		/* packet header and context come first */
	size_t length, capacity;
	uint64_t begin_ns, end_ns;
	uint64_t events;
};

/* Returns 0, or -1 for want of memory. */
int ctf_packet__init(struct ctf_packet *packet, size_t capacity);
void ctf_packet__free(struct ctf_packet *packet);
bool ctf_packet__has_room(const struct ctf_packet *packet);
void ctf_packet__add(struct ctf_packet *packet, const struct xp_event *event);
/* A thread of process pid and its name, of which CTF_NAME_BYTES at most are taken. */
void ctf_packet__add_thread(struct ctf_packet *packet, uint64_t time_ns, uint32_t tid,
			    uint32_t pid, const char *name);
/* Fills in header and context; then bytes and length are the packet.  Empty it for the next. */
void ctf_packet__close(struct ctf_packet *packet, const uint8_t uuid[16], uint32_t cpu,
		       uint64_t sequence, uint64_t events_discarded);
void ctf_packet__empty(struct ctf_packet *packet);

#endif
