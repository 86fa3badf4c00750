/* SPDX-License-Identifier: GPL-2.0 */
/* What the mechanisms of a recording consist of; for mechanisms*.c alone. */
#ifndef KVIEW_MECHANISMS_STATE_H
#define KVIEW_MECHANISMS_STATE_H

#include "mechanism/mechanisms.h"

/* A mechanism and its points.  The arrays have room for all points of the recording. */
struct mechanism_part {
	struct mechanism *mechanism;
	uint32_t *points;		/* the recording's ids, by the mechanism's */
	uint32_t *dropped, *kept;	/* ids of the mechanism */
	size_t nr_dropped, nr_kept;
	uint64_t cost_ns;		/* of all its probes, when figures were last brought up to date */
	bool has_relieved;		/* since the last drop, which removes what relieve gave up */
};

/* Where a point of the recording is. */
struct mechanism_place {
	uint32_t part;			/* index in parts */
	uint32_t point;			/* the mechanism's id */
};

#endif
