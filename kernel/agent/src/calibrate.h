/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What probes cost on this host, measured with a child of the agent's own: functions that
 * do nothing, with each kind of entry and exit, called over and over.
 */
#ifndef KVIEW_CALIBRATE_H
#define KVIEW_CALIBRATE_H

#include "xprobe.h"

struct calibration {
	bool valid;
	struct xp_cost costs[XP_ENTRY_CLASSES][XP_EXIT_CLASSES];
};

/*
 * Measures with xprobe, which must not be attached, and its spare functions, and tells it
 * the costs.  Takes about a tenth of a second.  Returns 0, or -1 with error filled; costs
 * are then all 0.
 */
int calibrate__probes(struct xprobe *xprobe, struct calibration *calibration,
		      struct fn_error *error);

/* Tells xprobe costs that were measured before. */
void calibrate__apply(struct xprobe *xprobe, const struct calibration *calibration);

/* What the scheduler's programs add to a switch of an untraced process. Returns 0 or -1. */
int calibrate__switches(struct xprobe *xprobe, uint64_t *cost_ns, struct fn_error *error);

/* The offset in the agent's own file of a function that may be probed. */
uint64_t calibrate__any_offset(void);
/* One that begins with a five-byte nop; and its first byte after it was called. */
uint64_t calibrate__nop_offset(void);
uint8_t calibrate__call_nop(void);

#endif
