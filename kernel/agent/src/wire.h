/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of agent.proto over two descriptors.  Writing never blocks: frames queue in
 * memory, and those who produce much ask wire__is_congested() and wait.
 */
#ifndef KVIEW_WIRE_H
#define KVIEW_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "loop.h"

struct wire;

struct wire_opts {
	struct loop *loop;
	int in_fd;
	int out_fd;
	/* A whole request; owned by the wire. */
	void (*request)(void *context, const Kview__Wire__ToAgent *request);
	/* The input ended or can't be trusted, or the output broke: reason is NULL at a plain end. */
	void (*ended)(void *context, const char *reason);
	/* The queue became short enough after congestion. */
	void (*drained)(void *context);
	void *context;
};

/* Copies opts; does not own the descriptors, which it makes non-blocking. NULL: no memory. */
struct wire *wire__new(const struct wire_opts *opts);
void wire__free(struct wire *wire);

/* Queues a message.  Fails only for want of memory, which ends the connection. */
void wire__send(struct wire *wire, const Kview__Wire__FromAgent *message);

/* True while so much is queued that bulk data has to wait. */
bool wire__is_congested(const struct wire *wire);
size_t wire__queued_bytes(const struct wire *wire);

/* Writes what can be written within the time, blocking; for the very end. */
void wire__flush(struct wire *wire, uint64_t timeout_ns);

#endif
