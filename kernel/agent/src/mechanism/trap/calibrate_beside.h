/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a process with probes pays beside its calls, as calibration's child tries it: at context
 * switches, and for each thread that it makes.
 */
#ifndef KVIEW_CALIBRATE_BESIDE_H
#define KVIEW_CALIBRATE_BESIDE_H

#include <stdint.h>

enum calibrate_beside {
	BESIDE_SWITCH,			/* from one thread to another */
	BESIDE_SWITCH_AFTER_CALL,	/* the same of two that have made a call */
	BESIDE_THREAD,			/* that is made, makes one call and ends */
	BESIDE_THREAD_OF_CALLS,		/* and one that makes BESIDE_CALLS */
	BESIDES
};

#define BESIDE_CALLS	9

/*
 * To be called in the child.  The ns that one of these takes, in the least disturbed of some
 * batches; calls are of the given class.  For a switch this is wall-clock time, because the two
 * threads share a CPU and wake each other in turn; for a thread it is CPU time.
 */
double beside__ns(enum calibrate_beside what, uint8_t class);

#endif
