/* SPDX-License-Identifier: GPL-2.0 */
/* The figures of functions by a value of their calls, as messages tell them. */
#ifndef KVIEW_VALUES_H
#define KVIEW_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "agent.pb-c.h"
#include "mechanism/mechanisms.h"
#include "recording/histograms.h"

struct values;

/* NULL without memory. */
struct values *values__new(const struct mechanisms *mechanisms);
void values__free(struct values *values);
/*
 * Takes what was counted since it was last told, before the functions' own figures, which are mentioned then.  Most of the time it
 * takes nothing, as values have many figures; all: now.  Returns how many figures are missing, as there was no memory.
 */
size_t values__take(struct values *values, struct histograms *histograms, bool all);
/* Adds to functions what was taken; valid until the next time. */
void values__tell(struct values *values, Kview__Wire__FunctionDelta **functions, size_t nr);

#endif
