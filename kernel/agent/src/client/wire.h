/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of agent.proto over two descriptors.  Writing never blocks: frames queue in
 * memory, and those who produce much ask whether they have to wait.
 *
 * With a link (see agent.proto) frames are numbered and kept until they are acknowledged,
 * and the descriptors may go and be replaced by others.
 */
#ifndef KVIEW_WIRE_H
#define KVIEW_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent.pb-c.h"
#include "base/loop.h"

struct wire;

struct wire_opts {
	struct loop *loop;
	int in_fd;
	int out_fd;
	/* A whole request; owned by the wire. */
	void (*request)(void *context, const Kview__Wire__ToAgent *request);
	/*
	 * The input ended or can't be trusted, or the output broke: reason is NULL at a plain
	 * end.  The descriptors are not used any more; what is sent from now on is kept for
	 * wire__attach.
	 */
	void (*ended)(void *context, const char *reason);
	/* Those who had to wait need not any more, or some of them. */
	void (*drained)(void *context);
	void *context;
};

/* Who may have to wait.  Without a link all wait for the same. */
enum wire_class {
	WIRE_EVENTS,	/* first, for the client to consume them */
	WIRE_OUTPUT,
	WIRE_FIGURES,	/* last, and only to be merged */
};

/* Copies opts; does not own the descriptors, which it makes non-blocking. NULL: no memory. */
struct wire *wire__new(const struct wire_opts *opts);
void wire__free(struct wire *wire);

/* From the next message on there is a link. */
void wire__begin_link(struct wire *wire, uint64_t window_bytes);

/*
 * Queues a message with this body; request_id is 0 unless it answers a request.  Fails only
 * for want of memory, which breaks the wire for good.
 */
void wire__send(struct wire *wire, uint32_t request_id,
		Kview__Wire__FromAgent__BodyCase body_case, void *body);
/* As wire__send, of what tells of something that was sent before: it overtakes nothing. */
void wire__send_behind(struct wire *wire, uint32_t request_id,
		       Kview__Wire__FromAgent__BodyCase body_case, void *body);
bool wire__is_broken(const struct wire *wire);

bool wire__must_wait(struct wire *wire, enum wire_class class);

/* Forgets what arrived.  What can't be ends the connection. */
void wire__acknowledge(struct wire *wire, const Kview__Wire__Acknowledge *acknowledge);
/* Whether a message was sent, or is to be, that is not acknowledged. */
bool wire__is_owed(const struct wire *wire);

/* Leaves the descriptors alone until wire__attach. */
void wire__detach(struct wire *wire);
/* Whether it can go on after this message: it was sent, and what comes next is kept. */
bool wire__keeps(const struct wire *wire, uint64_t sequence);
/*
 * Goes on after this message, which arrived last, with the same descriptor numbers, which
 * lead elsewhere now.  -1: they can't be waited for.
 */
int wire__attach(struct wire *wire, uint64_t sequence);

/* When something last came in. */
uint64_t wire__heard_ns(const struct wire *wire);

/* Writes what can be written within the time, blocking; for the very end. */
void wire__flush(struct wire *wire, uint64_t timeout_ns);

#endif
