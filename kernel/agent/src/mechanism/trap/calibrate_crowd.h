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

/* At most so many threads, the child's first one included. */
#define CROWD_THREADS	16

/* How many threads: one for each CPU that the process may use, at most CROWD_THREADS. */
unsigned int crowd__size(void);

/*
 * To be called in the child.  Between begin and end the other threads call the function whenever they
 * have a CPU.  They are made by the first begin; if one can't be made there are fewer.
 */
void crowd__begin(uint8_t class);
/* Between the two: how many threads have called since the mark, the caller included. */
void crowd__mark(void);
unsigned int crowd__calling(void);
void crowd__end(void);

#endif
