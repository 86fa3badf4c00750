/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Other threads of calibration's child, which call the same function at the same time: probes that
 * many threads meet at once share locks and cache lines, more so before Linux 6.12.
 */
#ifndef KVIEW_CALIBRATE_CROWD_H
#define KVIEW_CALIBRATE_CROWD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* At most, with the child's first one. */
#define CROWD_THREADS	16

/* As many as there are CPUs for it, at most CROWD_THREADS. */
unsigned int crowd__size(void);

/*
 * In the child.  From begin to end the others call, so far as they get CPUs; they are made with the
 * first begin.  One that can't be made is missing.
 */
void crowd__begin(uint8_t class);
/* Between the two: how many make calls now, the caller with them, as far as they have since mark. */
void crowd__mark(void);
unsigned int crowd__calling(void);
void crowd__end(void);

#endif
