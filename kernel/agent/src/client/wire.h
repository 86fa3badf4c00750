/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of agent.proto over two descriptors.  Writing never blocks: frames are queued in
 * memory, and those who produce much data ask whether they have to wait.
 *
 * With a link (see agent.proto) frames are numbered and kept until they are acknowledged, and
 * the descriptors may be replaced by others.
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
	/* A complete request, which the wire owns. */
	void (*request)(void *context, const Kview__Wire__ToAgent *request);
	/*
	 * The input ended or can't be trusted, or the output is broken.  reason is NULL if the
	 * input simply ended.  From now on the descriptors are not used, and what is sent is kept
	 * for wire__attach.
	 */
	void (*ended)(void *context, const char *reason);
	/* Some producers that had to wait need not wait any more. */
	void (*drained)(void *context);
	void *context;
};

/* Kinds of data that may have to wait.  Without a link they have the same limit. */
enum wire_class {
	WIRE_EVENTS,	/* wait first, until the client has consumed earlier ones */
	WIRE_OUTPUT,
	WIRE_FIGURES,	/* wait last; meanwhile they are merged, not lost */
};

/* Copies opts; does not own the descriptors, which it makes non-blocking. NULL: no memory. */
struct wire *wire__new(const struct wire_opts *opts);
void wire__free(struct wire *wire);

/*
 * Of a request, or a part of one, which is the wire's: its like, for who answers later and frees it with
 * protobuf_c_message_free_unpacked.  NULL: no memory.
 */
ProtobufCMessage *wire__copy(const ProtobufCMessage *message);

/* From the next message on the wire has a link. */
void wire__begin_link(struct wire *wire, uint64_t window_bytes);

/*
 * Queues a message with this body; request_id is 0 unless it answers a request.  Fails only if
 * there is no memory, which breaks the wire for good.
 */
void wire__send(struct wire *wire, uint32_t request_id,
		Kview__Wire__FromAgent__BodyCase body_case, void *body);
/* As wire__send, for a message that refers to what was sent before: it overtakes nothing. */
void wire__send_behind(struct wire *wire, uint32_t request_id,
		       Kview__Wire__FromAgent__BodyCase body_case, void *body);
/*
 * In a child of the agent's: what is sent goes to this descriptor, and to no client.  The agent sends what it read there, all of it,
 * as if it had been sent here; false: that is not whole, or nothing, and nothing was sent.
 */
void wire__divert(struct wire *wire, int fd);
bool wire__send_diverted(struct wire *wire, const uint8_t *bytes, size_t length);
bool wire__is_broken(const struct wire *wire);

bool wire__must_wait(struct wire *wire, enum wire_class class);

/* Forgets frames that have arrived.  An impossible acknowledgement ends the connection. */
void wire__acknowledge(struct wire *wire, const Kview__Wire__Acknowledge *acknowledge);
/* Whether a message is queued, or was sent and is not acknowledged. */
bool wire__is_owed(const struct wire *wire);

/* Does not use the descriptors until wire__attach. */
void wire__detach(struct wire *wire);
/* Whether it can go on after this message: that was sent, and all later ones are kept. */
bool wire__keeps(const struct wire *wire, uint64_t sequence);
/*
 * Goes on after this message, which was the last to arrive.  The descriptors have the same numbers,
 * but are connected to another client now.  -1: they can't be polled.
 */
int wire__attach(struct wire *wire, uint64_t sequence);

/* Whether its output has a reader, as far as the kernel knows: that closes both ends. */
bool wire__is_heard(const struct wire *wire);
/* When the last input came. */
uint64_t wire__heard_ns(const struct wire *wire);

/* Blocks and writes as much as the time allows; for the very end. */
void wire__flush(struct wire *wire, uint64_t timeout_ns);

#endif
