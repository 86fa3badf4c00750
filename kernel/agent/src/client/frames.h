/* SPDX-License-Identifier: GPL-2.0 */
/* The frames that a wire queues: packed messages, each after its header. */
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
	bool urgent;		/* may overtake frames that are not urgent */
	bool notice;		/* Pong and RejoinReply: only valid on this one connection */
	/*
	 * The payload that the client will report as consumed; both 0 for frames that are not bulk.
	 */
	uint32_t packet_bytes, output_bytes;
	size_t length;
	uint8_t bytes[];
};

/* First in, first out. */
struct frames {
	struct frame *first, **last;
};

/*
 * With a link (see agent.proto) some frames may overtake, and most are numbered.  NULL: no memory.
 */
struct frame *frame__new(uint32_t request_id, Kview__Wire__FromAgent__BodyCase body_case,
			 void *body, bool link);
bool frame__is_bulk(const struct frame *frame);
void frame__number(struct frame *frame, uint64_t sequence);

void frames__init(struct frames *frames);
void frames__add(struct frames *frames, struct frame *frame);
void frames__add_first(struct frames *frames, struct frame *frame);
/* NULL when empty. */
struct frame *frames__take(struct frames *frames);
/* Moves all frames of from to the beginning of frames. */
void frames__prepend(struct frames *frames, struct frames *from);
void frames__free(struct frames *frames);

/* Bytes that were received and not taken yet. */
struct frame_input {
	uint8_t *bytes;
	size_t length, capacity, taken;
};

/* Reads once.  Returns as read() does, also with ENOMEM. */
ssize_t frame_input__read(struct frame_input *input, int fd);
/*
 * The next message, which the caller frees.  NULL if none is complete yet.  NULL with reason set if
 * what came in is not of this protocol, and the connection must end.
 */
Kview__Wire__ToAgent *frame_input__take(struct frame_input *input, const char **reason);
/* Whether there is one, or that reason. */
bool frame_input__is_due(const struct frame_input *input);
void frame_input__free(struct frame_input *input);

#endif
