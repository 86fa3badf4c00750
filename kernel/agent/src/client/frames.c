// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/frames.h"

/*
 * FromAgent.sequence at the end of the packed message: a tag of two bytes (field 25, eight bytes
 * long) and the number.  The fields of a message may have any order.  So the number, which is
 * known only when the frame is sent, can be put there without packing the message again.
 */
static const uint8_t sequence_tag[] = { 0xc9, 0x01 };

#define NUMBER_BYTES	8
#define READ_BYTES	(64U << 10)
#define SUFFIX_BYTES	(sizeof(sequence_tag) + NUMBER_BYTES)

static void put_le(uint8_t *at, uint64_t value, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		at[i] = value >> (8 * i);
}

bool frame__is_bulk(const struct frame *frame)
{
	return frame->packet_bytes || frame->output_bytes;
}

/* Most frames may overtake events: above all figures, and answers for which somebody waits. */
static void frame__classify(struct frame *frame, const Kview__Wire__FromAgent *message, bool link)
{
	frame->urgent = link;
	switch (message->body_case) {
	case KVIEW__WIRE__FROM_AGENT__BODY_PONG:
	case KVIEW__WIRE__FROM_AGENT__BODY_REJOIN:
		frame->notice = true;
		break;
	case KVIEW__WIRE__FROM_AGENT__BODY_EVENT_PACKET:
		frame->packet_bytes = message->event_packet->packet.len;
		frame->urgent = false;
		break;
	case KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_OUTPUT:
		frame->output_bytes = message->process_output->data.len;
		break;
	case KVIEW__WIRE__FROM_AGENT__BODY_RECORDING_ENDED:
	case KVIEW__WIRE__FROM_AGENT__BODY_STOP_RECORDING:
	case KVIEW__WIRE__FROM_AGENT__BODY_PROCESS_EXITED:
		frame->urgent = false;
		break;
	default:
		break;
	}
	frame->numbered = link && !frame->notice;
}

struct frame *frame__new(uint32_t request_id, Kview__Wire__FromAgent__BodyCase body_case,
			 void *body, bool link)
{
	Kview__Wire__FromAgent message = KVIEW__WIRE__FROM_AGENT__INIT;
	struct frame *frame;
	size_t packed;

	message.request_id = request_id;
	message.body_case = body_case;
	message.hello = body;		/* any member of the union */
	packed = kview__wire__from_agent__get_packed_size(&message);
	frame = malloc(sizeof(*frame) + FRAME_HEADER_BYTES + packed + SUFFIX_BYTES);
	if (!frame)
		return NULL;
	memset(frame, 0, sizeof(*frame));
	frame__classify(frame, &message, link);
	frame->length = FRAME_HEADER_BYTES + packed + (frame->numbered ? SUFFIX_BYTES : 0);
	put_le(frame->bytes, frame->length - FRAME_HEADER_BYTES, FRAME_HEADER_BYTES);
	kview__wire__from_agent__pack(&message, frame->bytes + FRAME_HEADER_BYTES);
	if (frame->numbered)
		memcpy(frame->bytes + FRAME_HEADER_BYTES + packed, sequence_tag,
		       sizeof(sequence_tag));
	return frame;
}

void frame__number(struct frame *frame, uint64_t sequence)
{
	frame->sequence = sequence;
	put_le(frame->bytes + frame->length - NUMBER_BYTES, sequence, NUMBER_BYTES);
}

void frames__init(struct frames *frames)
{
	frames->first = NULL;
	frames->last = &frames->first;
}

void frames__add(struct frames *frames, struct frame *frame)
{
	frame->next = NULL;
	*frames->last = frame;
	frames->last = &frame->next;
}

void frames__add_first(struct frames *frames, struct frame *frame)
{
	frame->next = frames->first;
	frames->first = frame;
	if (!frame->next)
		frames->last = &frame->next;
}

struct frame *frames__take(struct frames *frames)
{
	struct frame *frame = frames->first;

	if (!frame)
		return NULL;
	frames->first = frame->next;
	if (!frames->first)
		frames->last = &frames->first;
	return frame;
}

void frames__prepend(struct frames *frames, struct frames *from)
{
	if (!from->first)
		return;
	*from->last = frames->first;
	if (!frames->first)
		frames->last = from->last;
	frames->first = from->first;
	frames__init(from);
}

void frames__free(struct frames *frames)
{
	struct frame *frame;

	while ((frame = frames__take(frames)))
		free(frame);
}

static uint32_t read_le32(const uint8_t *at)
{
	return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

ssize_t frame_input__read(struct frame_input *input, int fd)
{
	uint8_t *grown;
	ssize_t got;

	if (input->taken)
		memmove(input->bytes, input->bytes + input->taken,
			input->length - input->taken);
	input->length -= input->taken;
	input->taken = 0;
	if (input->capacity - input->length < READ_BYTES) {
		grown = realloc(input->bytes, input->length + 2 * READ_BYTES);
		if (!grown)
			return -1;
		input->bytes = grown;
		input->capacity = input->length + 2 * READ_BYTES;
	}
	got = read(fd, input->bytes + input->length, READ_BYTES);
	input->length += got > 0 ? got : 0;
	return got;
}

bool frame_input__is_due(const struct frame_input *input)
{
	size_t waiting = input->length - input->taken;
	uint32_t length;

	if (waiting < FRAME_HEADER_BYTES)
		return false;
	length = read_le32(input->bytes + input->taken);
	return length > FRAME_MAX_BYTES || waiting - FRAME_HEADER_BYTES >= length;
}

Kview__Wire__ToAgent *frame_input__take(struct frame_input *input, const char **reason)
{
	const uint8_t *at = input->bytes + input->taken;
	size_t waiting = input->length - input->taken;
	Kview__Wire__ToAgent *message;
	uint32_t length;

	if (waiting < FRAME_HEADER_BYTES)
		return NULL;
	length = read_le32(at);
	if (!length || length > FRAME_MAX_BYTES) {
		*reason = length ? "the client sent a frame of more than 16 MiB" :
			  "the client sent a frame of length 0";
		return NULL;
	}
	if (waiting - FRAME_HEADER_BYTES < length)
		return NULL;
	message = kview__wire__to_agent__unpack(NULL, length, at + FRAME_HEADER_BYTES);
	if (!message)
		*reason = "the client sent a frame that is not a ToAgent message";
	input->taken += FRAME_HEADER_BYTES + length;
	return message;
}

void frame_input__free(struct frame_input *input)
{
	free(input->bytes);
	memset(input, 0, sizeof(*input));
}
