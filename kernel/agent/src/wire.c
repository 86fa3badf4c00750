// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "error.h"
#include "wire.h"

#define HEADER_BYTES		4
#define MAX_MESSAGE_BYTES	(16U << 20)
/* Above it bulk data waits; below the second it may flow again. */
#define CONGESTED_BYTES		(1U << 20)
#define DRAINED_BYTES		(256U << 10)
#define READ_BYTES		(64U << 10)

struct frame {
	struct frame *next;
	size_t length;
	uint8_t bytes[];
};

struct wire {
	struct wire_opts opts;
	struct loop_source in, out;
	bool out_is_file;	/* can't be polled, is always ready */
	bool ended;
	bool was_congested;

	uint8_t *input;
	size_t input_length, input_capacity;

	struct frame *first, **last;
	size_t written;		/* of the first frame */
	size_t queued_bytes;
};

static void wire__end(struct wire *wire, const char *reason)
{
	if (wire->ended)
		return;
	wire->ended = true;
	loop__remove(wire->opts.loop, &wire->in);
	loop__remove(wire->opts.loop, &wire->out);
	wire->opts.ended(wire->opts.context, reason);
}

static uint32_t read_le32(const uint8_t *bytes)
{
	return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Handles the frames that are complete; false when the stream can't go on. */
static bool wire__take_frames(struct wire *wire)
{
	Kview__Wire__ToAgent *request;
	size_t at = 0;
	uint32_t length;

	while (!wire->ended && wire->input_length - at >= HEADER_BYTES) {
		length = read_le32(wire->input + at);
		if (!length || length > MAX_MESSAGE_BYTES) {
			wire__end(wire, length ? "a frame longer than 16 MiB came in" :
				  "a frame of length 0 came in");
			return false;
		}
		if (wire->input_length - at - HEADER_BYTES < length)
			break;
		request = kview__wire__to_agent__unpack(NULL, length,
							wire->input + at + HEADER_BYTES);
		if (!request) {
			wire__end(wire, "a frame came in that is no ToAgent message");
			return false;
		}
		at += HEADER_BYTES + length;
		wire->opts.request(wire->opts.context, request);
		kview__wire__to_agent__free_unpacked(request, NULL);
	}
	memmove(wire->input, wire->input + at, wire->input_length - at);
	wire->input_length -= at;
	return !wire->ended;
}

static void wire__readable(void *context, uint32_t events)
{
	struct wire *wire = context;
	uint8_t *grown;
	ssize_t got;

	if (wire__is_congested(wire) && !(events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)))
		return;
	if (wire->input_capacity - wire->input_length < READ_BYTES) {
		grown = realloc(wire->input, wire->input_length + 2 * READ_BYTES);
		if (!grown)
			return wire__end(wire, "out of memory");
		wire->input = grown;
		wire->input_capacity = wire->input_length + 2 * READ_BYTES;
	}
	got = read(wire->in.fd, wire->input + wire->input_length, READ_BYTES);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got < 0)
		return wire__end(wire, "the input can't be read");
	if (got == 0)
		return wire__end(wire, wire->input_length ? "the input ended within a frame" : NULL);
	wire->input_length += got;
	wire__take_frames(wire);
}

static void wire__watch(struct wire *wire)
{
	if (wire->ended)
		return;
	/* Answers to more requests would only lengthen a queue that nobody reads; its end counts. */
	loop__watch(wire->opts.loop, &wire->in,
		    wire__is_congested(wire) ? EPOLLRDHUP : EPOLLIN);
	loop__watch(wire->opts.loop, &wire->out,
		    wire->first && !wire->out_is_file ? EPOLLOUT : 0);
}

/* Writes until it would block; false when the output broke. */
static bool wire__write(struct wire *wire)
{
	struct frame *frame;
	ssize_t put;

	while ((frame = wire->first)) {
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
		wire->first = frame->next;
		if (!wire->first)
			wire->last = &wire->first;
		wire->written = 0;
		free(frame);
	}
	return true;
}

static void wire__writable(void *context, uint32_t events)
{
	struct wire *wire = context;

	if (!wire__write(wire))
		return wire__end(wire, "the output is closed");
	if (wire->was_congested && wire->queued_bytes < DRAINED_BYTES) {
		wire->was_congested = false;
		wire->opts.drained(wire->opts.context);
	}
	wire__watch(wire);
}

void wire__send(struct wire *wire, const Kview__Wire__FromAgent *message)
{
	size_t length = kview__wire__from_agent__get_packed_size(message);
	struct frame *frame;
	int i;

	frame = malloc(sizeof(*frame) + HEADER_BYTES + length);
	if (!frame)
		return wire__end(wire, "out of memory");
	frame->next = NULL;
	frame->length = HEADER_BYTES + length;
	for (i = 0; i < HEADER_BYTES; i++)
		frame->bytes[i] = length >> (8 * i);
	kview__wire__from_agent__pack(message, frame->bytes + HEADER_BYTES);
	*wire->last = frame;
	wire->last = &frame->next;
	wire->queued_bytes += frame->length;
	if (wire->out_is_file && !wire__write(wire))
		return wire__end(wire, "the output is closed");
	if (wire__is_congested(wire))
		wire->was_congested = true;
	wire__watch(wire);
}

bool wire__is_congested(const struct wire *wire)
{
	return wire->queued_bytes > (wire->was_congested ? DRAINED_BYTES : CONGESTED_BYTES);
}

size_t wire__queued_bytes(const struct wire *wire)
{
	return wire->queued_bytes;
}

void wire__flush(struct wire *wire, uint64_t timeout_ns)
{
	uint64_t end = clock__now_ns() + timeout_ns;
	struct pollfd out = { .fd = wire->out.fd, .events = POLLOUT };

	while (wire->first && wire__write(wire) && wire->first && clock__now_ns() < end)
		poll(&out, 1, 50);
}

struct wire *wire__new(const struct wire_opts *opts)
{
	struct wire *wire = calloc(1, sizeof(*wire));
	int error;

	if (!wire)
		return NULL;
	wire->opts = *opts;
	wire->last = &wire->first;
	wire->in = (struct loop_source){ opts->in_fd, wire__readable, wire, 0 };
	wire->out = (struct loop_source){ opts->out_fd, wire__writable, wire, 0 };
	fcntl(opts->in_fd, F_SETFL, fcntl(opts->in_fd, F_GETFL) | O_NONBLOCK);
	fcntl(opts->out_fd, F_SETFL, fcntl(opts->out_fd, F_GETFL) | O_NONBLOCK);
	error = loop__watch(opts->loop, &wire->in, EPOLLIN);
	if (error) {
		log__line("standard input can't be waited for: %s; it must be a pipe, a socket or a terminal",
			  strerror(-error));
		free(wire);
		return NULL;
	}
	wire->out_is_file = loop__watch(opts->loop, &wire->out, EPOLLOUT) == -EPERM;
	return wire;
}

void wire__free(struct wire *wire)
{
	struct frame *frame;

	if (!wire)
		return;
	loop__remove(wire->opts.loop, &wire->in);
	loop__remove(wire->opts.loop, &wire->out);
	while ((frame = wire->first)) {
		wire->first = frame->next;
		free(frame);
	}
	free(wire->input);
	free(wire);
}
