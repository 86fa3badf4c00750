// SPDX-License-Identifier: GPL-2.0
/*
 * What a link adds to a wire: frames are kept until they are acknowledged, and sent again if need
 * be.
 */
#include <poll.h>
#include <stdlib.h>

#include "client/wire_state.h"

static void wire__forget(struct wire *wire, uint64_t sequence)
{
	struct frame *frame;

	while (wire->sent.first && wire->sent.first->sequence <= sequence) {
		frame = frames__take(&wire->sent);
		if (!frame__is_bulk(frame))
			wire->owed_bytes -= frame->length;
		free(frame);
	}
	wire->acknowledged = sequence;
}

void wire__acknowledge(struct wire *wire, const Kview__Wire__Acknowledge *acknowledge)
{
	if (!wire->link || acknowledge->sequence > wire->last_sequence ||
	    acknowledge->consumed_packet_bytes > wire->let_packet_bytes ||
	    acknowledge->consumed_output_bytes > wire->output_bytes)
		return wire__end(wire, "what was never sent was acknowledged");
	/* An older acknowledgement may come after a newer one: the newer one counts. */
	if (acknowledge->sequence >= wire->acknowledged)
		wire__forget(wire, acknowledge->sequence);
	if (acknowledge->consumed_packet_bytes > wire->consumed_packet_bytes)
		wire->consumed_packet_bytes = acknowledge->consumed_packet_bytes;
	if (acknowledge->consumed_output_bytes > wire->consumed_output_bytes)
		wire->consumed_output_bytes = acknowledge->consumed_output_bytes;
	wire__tell_drained(wire);
	/* Packets that waited for that go on. */
	wire__watch(wire);
}

bool wire__is_heard(const struct wire *wire)
{
	struct pollfd out = { .fd = wire->out.fd };

	return poll(&out, 1, 0) <= 0;
}

bool wire__is_owed(const struct wire *wire)
{
	return wire->link && (wire->current || wire->urgent.first || !backlog__is_empty(&wire->ordered) ||
			      wire->sent.first);
}

/* Queues frames that were sent and did not arrive, in their order and before all others. */
static void wire__send_again(struct wire *wire)
{
	struct frames again, urgent;
	struct frame *frame;

	frames__init(&again);
	while ((frame = frames__take(&wire->sent))) {
		wire->queued_bytes += frame->length;
		frames__add(&again, frame);
	}
	frame = wire->current;
	wire->current = NULL;
	if (frame) {
		wire->queued_bytes += wire->written;
		if (frame->sequence)
			frames__add(&again, frame);
		else
			frames__add_first(&wire->urgent, frame);
	}
	/* An answer to a ping of the old connection says nothing about the new one. */
	frames__init(&urgent);
	while ((frame = frames__take(&wire->urgent))) {
		if (frame->numbered) {
			frames__add(&urgent, frame);
			continue;
		}
		wire->queued_bytes -= frame->length;
		free(frame);
	}
	frames__prepend(&wire->urgent, &urgent);
	frames__prepend(&wire->urgent, &again);
}

bool wire__keeps(const struct wire *wire, uint64_t sequence)
{
	return wire->link && sequence >= wire->acknowledged && sequence <= wire->last_sequence;
}

int wire__attach(struct wire *wire, uint64_t sequence)
{
	wire__detach(wire);
	wire__forget(wire, sequence);
	wire__send_again(wire);
	return wire__watch_anew(wire) ? -1 : 0;
}

void wire__begin_link(struct wire *wire, uint64_t window_bytes)
{
	wire->link = true;
	wire->window_bytes = window_bytes;
}
