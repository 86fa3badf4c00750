/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of the agent itself that do nothing, for probes that measure probes. */
#ifndef KVIEW_CALIBRATION_CODE_H
#define KVIEW_CALIBRATION_CODE_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/xprobe.h"

/* Where a function begins, and the one instruction by which it ends; NULL: no such class. */
struct calibration_code {
	const char *start, *exit;
};

/*
 * One for each class that the architecture has.  The return probes use functions of their
 * own: a probe's cost depends on what else is on the place.
 */
extern const struct calibration_code calibration_code[XP_ENTRY_CLASSES][XP_EXIT_CLASSES];

void calibration_code__call(const char *function, unsigned int times);

/* Begins with what a fast probe replaces without a trap; NULL where there is no such thing. */
extern const char *const calibration_nop;
/* The first byte of calibration_nop once a fast probe is on it and was passed. */
extern const uint8_t calibration_nop_replaced;

/* Where an address of this program is in its file. */
uint64_t calibration_code__offset(const char *address);

#endif
