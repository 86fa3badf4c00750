/* SPDX-License-Identifier: GPL-2.0 */
/* What calls cost that are not measured, as their condition is not true of them. */
#ifndef KVIEW_CALIBRATE_UNMATCHED_H
#define KVIEW_CALIBRATE_UNMATCHED_H

#include "mechanism/trap/calibrate.h"

/*
 * Measures it for some classes of calls, after calibrate__probes, and tells the xprobe, which has conditions.  Takes about a
 * fifth of a second.  Where that fails, it is told what follows from the cost of other calls.
 */
void calibrate__unmatched(struct xprobe *xprobe, uint32_t classes, const struct calibration *calibration);

#endif
