// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "client/frames.h"
#include "client/wire_state.h"

/* Without a link: above the first limit bulk data waits; below the second it flows again. */
#define CONGESTED_BYTES		(1U << 20)
#define DRAINED_BYTES		(256U << 10)
/* With a link: how much output, and how much else, may wait for acknowledgement. */
#define OUTPUT_WINDOW_BYTES	(1U << 20)
#define FIGURES_WINDOW_BYTES	(1U << 20)
/* A limit, because a client that asks without acknowledging answers would fill the memory. */
#define MAX_OWED_BYTES		(64U << 20)

void wire__detach(struct wire *wire)
{
	if (!wire->attached)
		return;
	wire->attached = false;
	wire->input.length = wire->input.taken = 0;
	loop__remove(wire->opts.loop, &wire->in);
	loop__remove(wire->opts.loop, &wire->out);
	loop__remove(wire->opts.loop, &wire->more);
}

void wire__end(struct wire *wire, const char *reason)
{
	if (!wire->attached)
		return;
	wire__detach(wire);
	wire->opts.ended(wire->opts.context, reason);
}

/*
 * Without memory a frame would be missing, and nobody would notice: so the wire is broken for good.
 */
static void wire__break(struct wire *wire, const char *reason)
{
	wire->broken = true;
	wire__detach(wire);
	wire->opts.ended(wire->opts.context, reason);
}

bool wire__is_broken(const struct wire *wire)
{
	return wire->broken;
}

/*
 * Without a link: no more requests are read, because their answers would only lengthen the queue.
 */
static bool wire__is_congested(const struct wire *wire)
{
	return !wire->link &&
	       wire->queued_bytes > (wire->was_congested ? DRAINED_BYTES : CONGESTED_BYTES);
}

/* With a link, packets wait for the client to have consumed earlier ones. */
static bool wire__may_let(const struct wire *wire, const struct frame *frame)
{
	return !wire->link || !frame->packet_bytes ||
	       wire->let_packet_bytes - wire->consumed_packet_bytes < wire->window_bytes;
}

/* Of what was sent in order, the next that may be sent now. */
static struct frame *wire__next_ordered(struct wire *wire)
{
	struct frame *frame = backlog__peek(&wire->ordered);

	return frame && wire__may_let(wire, frame) ? frame : NULL;
}

static bool wire__has_next(struct wire *wire)
{
	return wire->current || wire->urgent.first || wire__next_ordered(wire) || wire->ordered.is_broken;
}

void wire__watch(struct wire *wire)
{
	bool due = frame_input__is_due(&wire->input);

	if (!wire->attached)
		return;
	/* While the wire is congested its input is not read, but the input's end is noticed. */
	loop__watch(wire->opts.loop, &wire->in,
		    due ? 0 : wire__is_congested(wire) ? EPOLLRDHUP : EPOLLIN);
	loop__watch(wire->opts.loop, &wire->more, due ? EPOLLIN : 0);
	loop__watch(wire->opts.loop, &wire->out,
		    wire__has_next(wire) && !wire->out_is_file ? EPOLLOUT : 0);
}

/*
 * Handles one frame, if one is complete.  The next one waits until all else that is ready had its turn:
 * many requests at once must hold up neither the watch on the budget nor that on the process's end.
 */
static void wire__take_frame(struct wire *wire)
{
	Kview__Wire__ToAgent *request;
	const char *reason = NULL;

	request = frame_input__take(&wire->input, &reason);
	if (request) {
		wire->heard_ns = clock__now_ns();
		wire__watch(wire);	/* those behind it have their turn where it takes long */
		wire->opts.request(wire->opts.context, request);
		kview__wire__to_agent__free_unpacked(request, NULL);
	}
	if (reason)
		wire__end(wire, reason);
	wire__watch(wire);
}

static void wire__more(void *context, uint32_t events)
{
	wire__take_frame(context);
}

static void wire__readable(void *context, uint32_t events)
{
	struct wire *wire = context;
	ssize_t got;

	if (wire__is_congested(wire) && !(events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)))
		return;
	got = frame_input__read(&wire->input, wire->in.fd);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got < 0)
		return wire__end(wire, "the input can't be read");
	if (got == 0)
		return wire__end(wire, wire->input.length ? "the input ended within a frame" : NULL);
	wire->heard_ns = clock__now_ns();
	wire__take_frame(wire);
}

static struct frame *wire__next(struct wire *wire)
{
	struct frame *frame = wire->current;

	if (frame)
		return frame;
	frame = frames__take(&wire->urgent);
	if (!frame && wire__next_ordered(wire)) {
		frame = backlog__take(&wire->ordered);
		wire->let_packet_bytes += frame->packet_bytes;
	}
	if (frame && frame->numbered && !frame->sequence)
		frame__number(frame, ++wire->last_sequence);
	wire->current = frame;
	wire->written = 0;
	return frame;
}

/* Writes until that would block; false if the output is broken. */
static bool wire__write(struct wire *wire)
{
	struct frame *frame;
	ssize_t put;

	while ((frame = wire__next(wire))) {
		put = write(wire->out.fd, frame->bytes + wire->written,
			    frame->length - wire->written);
		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return errno == EAGAIN;
		wire->written += put;
		wire->queued_bytes -= put;
		if (wire->written < frame->length)
			continue;
		wire->current = NULL;
		if (frame->sequence)
			frames__add(&wire->sent, frame);
		else
			free(frame);
	}
	if (wire->ordered.is_broken && !wire->broken)
		wire__break(wire, "what waited on this host's disk could not be read");
	return true;
}

void wire__tell_drained(struct wire *wire)
{
	bool drained = wire->someone_waits;

	wire->someone_waits = false;
	if (wire->was_congested && wire->queued_bytes < DRAINED_BYTES) {
		wire->was_congested = false;
		drained = true;
	}
	if (drained)
		wire->opts.drained(wire->opts.context);
}

static void wire__writable(void *context, uint32_t events)
{
	struct wire *wire = context;

	if (!wire__write(wire))
		return wire__end(wire, "the output is closed");
	if (!wire->link)
		wire__tell_drained(wire);
	wire__watch(wire);
}

void wire__divert(struct wire *wire, int fd)
{
	wire->is_diverted = true;
	wire->diverted_fd = fd;
}

/* The reader knows by the end of it whether it is whole. */
static void wire__pass_on(const struct wire *wire, struct frame *frame)
{
	const uint8_t *at = (const uint8_t *)frame;
	size_t left = sizeof(*frame) + frame->length;
	ssize_t put;

	for (; left; at += put, left -= put) {
		put = write(wire->diverted_fd, at, left);
		if (put < 0)
			_exit(1);
	}
	free(frame);
}

static void wire__queue(struct wire *wire, struct frame *frame)
{
	if (wire->is_diverted)
		return wire__pass_on(wire, frame);
	wire->packet_bytes += frame->packet_bytes;
	wire->output_bytes += frame->output_bytes;
	if (frame->numbered && !frame__is_bulk(frame))
		wire->owed_bytes += frame->length;
	wire->queued_bytes += frame->length;
	if (frame->notice)
		frames__add_first(&wire->urgent, frame);
	else if (frame->urgent)
		frames__add(&wire->urgent, frame);
	else
		backlog__add(&wire->ordered, frame, wire->link);
	if (wire->owed_bytes > MAX_OWED_BYTES)
		return wire__end(wire, "the client does not acknowledge what it gets");
	if (wire->attached && wire->out_is_file && !wire__write(wire))
		return wire__end(wire, "the output is closed");
	if (wire__is_congested(wire))
		wire->was_congested = true;
	wire__watch(wire);
}

void wire__send(struct wire *wire, uint32_t request_id,
		Kview__Wire__FromAgent__BodyCase body_case, void *body)
{
	struct frame *frame = frame__new(request_id, body_case, body, wire->link);

	if (!frame)
		return wire__break(wire, "out of memory");
	wire__queue(wire, frame);
}

void wire__send_behind(struct wire *wire, uint32_t request_id,
		       Kview__Wire__FromAgent__BodyCase body_case, void *body)
{
	struct frame *frame = frame__new(request_id, body_case, body, wire->link);

	if (!frame)
		return wire__break(wire, "out of memory");
	frame->urgent = false;
	wire__queue(wire, frame);
}

bool wire__send_diverted(struct wire *wire, const uint8_t *bytes, size_t length)
{
	struct frame *frame = length > sizeof(*frame) ? malloc(length) : NULL;

	if (!frame)
		return false;
	memcpy(frame, bytes, length);
	if (frame->length != length - sizeof(*frame) || frame->length > FRAME_MAX_BYTES) {
		free(frame);
		return false;
	}
	wire__queue(wire, frame);
	return true;
}

bool wire__must_wait(struct wire *wire, enum wire_class class)
{
	bool waits;

	if (!wire->link)
		return wire__is_congested(wire);
	switch (class) {
	case WIRE_EVENTS:
		waits = wire->packet_bytes - wire->consumed_packet_bytes >= wire->window_bytes &&
			!backlog__has_room(&wire->ordered);
		break;
	case WIRE_OUTPUT:
		waits = wire->output_bytes - wire->consumed_output_bytes >= OUTPUT_WINDOW_BYTES;
		break;
	default:
		waits = wire->owed_bytes >= FIGURES_WINDOW_BYTES;
	}
	wire->someone_waits |= waits;
	return waits;
}

int wire__watch_anew(struct wire *wire)
{
	int error;

	fcntl(wire->in.fd, F_SETFL, fcntl(wire->in.fd, F_GETFL) | O_NONBLOCK);
	fcntl(wire->out.fd, F_SETFL, fcntl(wire->out.fd, F_GETFL) | O_NONBLOCK);
	error = loop__watch(wire->opts.loop, &wire->in, EPOLLIN);
	if (error)
		return error;
	wire->out_is_file = loop__watch(wire->opts.loop, &wire->out, EPOLLOUT) == -EPERM;
	wire->heard_ns = clock__now_ns();
	wire->attached = true;
	return 0;
}

uint64_t wire__heard_ns(const struct wire *wire)
{
	return wire->heard_ns;
}

void wire__flush(struct wire *wire, uint64_t timeout_ns)
{
	uint64_t end = clock__now_ns() + timeout_ns;
	struct pollfd out = { .fd = wire->out.fd, .events = POLLOUT };

	while (wire__has_next(wire) && wire__write(wire) && wire__has_next(wire) &&
	       clock__now_ns() < end)
		poll(&out, 1, 50);
}

struct wire *wire__new(const struct wire_opts *opts)
{
	struct wire *wire = calloc(1, sizeof(*wire));
	int error;

	if (!wire)
		return NULL;
	wire->opts = *opts;
	frames__init(&wire->urgent);
	backlog__init(&wire->ordered);
	frames__init(&wire->sent);
	wire->in = (struct loop_source){ opts->in_fd, wire__readable, wire, LOOP_IN_BETWEEN };
	wire->out = (struct loop_source){ opts->out_fd, wire__writable, wire, LOOP_IN_BETWEEN };
	wire->more = (struct loop_source){ eventfd(1, EFD_CLOEXEC), wire__more, wire, LOOP_IN_BETWEEN };
	if (wire->more.fd < 0) {
		free(wire);
		return NULL;
	}
	error = wire__watch_anew(wire);
	if (error) {
		log__line("standard input can't be waited for: %s; it must be a pipe, a socket or a terminal",
			  strerror(-error));
		loop__close(opts->loop, &wire->more);
		free(wire);
		return NULL;
	}
	return wire;
}

ProtobufCMessage *wire__copy(const ProtobufCMessage *message)
{
	uint8_t *bytes = malloc(protobuf_c_message_get_packed_size(message) + 1);
	ProtobufCMessage *copy = NULL;

	if (bytes)
		copy = protobuf_c_message_unpack(message->descriptor, NULL, protobuf_c_message_pack(message, bytes), bytes);
	free(bytes);
	return copy;
}

void wire__free(struct wire *wire)
{
	if (!wire)
		return;
	wire__detach(wire);
	loop__close(wire->opts.loop, &wire->more);
	free(wire->current);
	frames__free(&wire->urgent);
	backlog__free(&wire->ordered);
	frames__free(&wire->sent);
	frame_input__free(&wire->input);
	free(wire);
}
