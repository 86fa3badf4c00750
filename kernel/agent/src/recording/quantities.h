/* SPDX-License-Identifier: GPL-2.0 */
/* What calls of functions took beside time, as messages tell it: whichever measures a recording has. */
#ifndef KVIEW_QUANTITIES_H
#define KVIEW_QUANTITIES_H

#include <stddef.h>

#include "agent.pb-c.h"
#include "mechanism/mechanisms.h"
#include "recording/histograms.h"

struct quantities;

/* NULL without memory. */
struct quantities *quantities__new(const struct mechanisms *mechanisms);
void quantities__free(struct quantities *quantities);
/*
 * Takes what was counted since it was last taken, before the functions' own figures, which are mentioned then.  Returns how many
 * figures are missing, as there was no memory.
 */
size_t quantities__take(struct quantities *quantities, struct histograms *histograms);
/* Adds to functions what was taken; valid until the next time. */
void quantities__tell(const struct quantities *quantities, Kview__Wire__FunctionDelta **functions, size_t nr);

#endif
