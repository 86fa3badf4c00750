/* SPDX-License-Identifier: GPL-2.0 */
/* What wire.c and wire_link.c share; nobody else includes it. */
#ifndef KVIEW_WIRE_STATE_H
#define KVIEW_WIRE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/frames.h"
#include "client/wire.h"

struct wire {
	struct wire_opts opts;
	struct loop_source in, out;
	bool out_is_file;	/* can't be polled, is always ready */
	bool attached, broken;
	bool was_congested;
	uint64_t heard_ns;

	struct frame_input input;

	struct frame *current;	/* written in part, or next */
	size_t written;
	struct frames urgent, ordered;
	size_t queued_bytes;	/* of those, what is not written */

	/* Only with a link: */
	bool link;
	bool someone_waits;
	uint64_t window_bytes;
	struct frames sent;	/* not acknowledged */
	uint64_t last_sequence, acknowledged;
	uint64_t packet_bytes, output_bytes;	/* sums so far, as the client counts them */
	uint64_t consumed_packet_bytes, consumed_output_bytes;
	size_t owed_bytes;	/* of frames that are not bulk, queued or sent */
};

/* No more is read or written, and the owner hears why; reason is NULL at a plain end. */
void wire__end(struct wire *wire, const char *reason);
/* Waits for the descriptors from now on.  0 or a negative errno. */
int wire__watch_anew(struct wire *wire);
/* Calls those who had to wait and need not any more. */
void wire__tell_drained(struct wire *wire);

#endif
