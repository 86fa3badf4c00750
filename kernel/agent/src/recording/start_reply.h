/* SPDX-License-Identifier: GPL-2.0 */
/* What a client is told when its recording begins. */
#ifndef KVIEW_START_REPLY_H
#define KVIEW_START_REPLY_H

#include <stdint.h>
#include <sys/types.h>

#include "mechanism/mechanisms.h"
#include "recording/provenance.h"
#include "recording/recording.h"

struct start_reply {
	uint32_t request_id;
	ProtobufCBinaryData token;	/* to take it up again; empty without a grace time */
	uint64_t attach_ns;		/* how long that took */
	const uint8_t *uuid;		/* the trace's, of 16 bytes; NULL without events */
	struct mechanisms *mechanisms;	/* attached */
	struct provenance *provenance;
	const struct recording_sink *sink;
};

/* Returns 0, or -1 for want of memory: nothing was sent then. */
int start_reply__send(const struct start_reply *reply);

#endif
