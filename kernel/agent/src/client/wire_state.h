/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by wire.c and wire_link.c; no other file includes it. */
#ifndef KVIEW_WIRE_STATE_H
#define KVIEW_WIRE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/backlog.h"
#include "client/frames.h"
#include "client/wire.h"

struct wire {
	struct wire_opts opts;
	struct loop_source in, out;
	struct loop_source more;	/* always ready; watched while a frame that came waits for its turn */
	bool out_is_file;	/* can't be polled, is always ready */
	bool attached, broken;
	bool is_diverted;
	int diverted_fd;
	bool was_congested;
	uint64_t heard_ns;

	struct frame_input input;

	struct frame *current;	/* partly written, or the next to be written */
	size_t written;
	struct frames urgent;
	struct backlog ordered;
	uint64_t queued_bytes;	/* of these frames, the bytes that are not written */

	/* Only with a link: */
	bool link;
	bool someone_waits;
	uint64_t window_bytes;
	struct frames sent;	/* sent and not acknowledged */
	uint64_t last_sequence, acknowledged;
	uint64_t packet_bytes, output_bytes;	/* sent so far, or queued, as the client counts them */
	uint64_t let_packet_bytes;	/* of these, what has left the backlog */
	uint64_t consumed_packet_bytes, consumed_output_bytes;
	size_t owed_bytes;	/* of frames that are not bulk, queued or sent */
};

/* Stops reading and writing, and tells the owner why; reason is NULL if the input simply ended. */
void wire__end(struct wire *wire, const char *reason);
/* Begins to poll the descriptors.  Returns 0 or a negative errno. */
int wire__watch_anew(struct wire *wire);
/* Writes when that is possible, if there is something that may be written. */
void wire__watch(struct wire *wire);
/* Tells producers that had to wait that some need not wait any more. */
void wire__tell_drained(struct wire *wire);

#endif
