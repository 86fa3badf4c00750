/* SPDX-License-Identifier: GPL-2.0 */
/* What a wire queues: packed messages, each with its frame's header. */
#ifndef KVIEW_FRAMES_H
#define KVIEW_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "agent.pb-c.h"

#define FRAME_HEADER_BYTES	4
#define FRAME_MAX_BYTES		(16U << 20)

struct frame {
	struct frame *next;
	uint64_t sequence;	/* 0: not numbered yet, or never */
	bool numbered;		/* has room for its number */
	bool urgent;		/* may overtake those that are not */
	bool notice;		/* Pong and RejoinReply: of one connection, worth nothing on the next */
	/* Payload that counts as consumed one day; both 0: counts while it is owed. */
	uint32_t packet_bytes, output_bytes;
	size_t length;
	uint8_t bytes[];
};

/* First in, first out. */
struct frames {
	struct frame *first, **last;
};

/* With a link, see agent.proto, some may overtake and most have a number.  NULL: no memory. */
struct frame *frame__new(uint32_t request_id, Kview__Wire__FromAgent__BodyCase body_case,
			 void *body, bool link);
bool frame__is_bulk(const struct frame *frame);
void frame__number(struct frame *frame, uint64_t sequence);

void frames__init(struct frames *frames);
void frames__add(struct frames *frames, struct frame *frame);
void frames__add_first(struct frames *frames, struct frame *frame);
/* NULL when empty. */
struct frame *frames__take(struct frames *frames);
/* Moves all of from before those of frames. */
void frames__prepend(struct frames *frames, struct frames *from);
void frames__free(struct frames *frames);

/* What came in and was not taken yet. */
struct frame_input {
	uint8_t *bytes;
	size_t length, capacity, taken;
};

/* Reads once; returns as read() does, with ENOMEM for want of memory. */
ssize_t frame_input__read(struct frame_input *input, int fd);
/*
 * The next whole message, which the caller frees; NULL where none is whole, or with reason
 * set where the stream can't be trusted any more.
 */
Kview__Wire__ToAgent *frame_input__take(struct frame_input *input, const char **reason);
void frame_input__free(struct frame_input *input);

#endif
