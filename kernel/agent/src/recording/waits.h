/* SPDX-License-Identifier: GPL-2.0 */
/* Tells for what calls waited, where in the kernel, and who woke them, as the mechanisms' eBPF programs count it. */
#ifndef KVIEW_WAITS_H
#define KVIEW_WAITS_H

#include "agent.pb-c.h"
#include "mechanism/mechanisms.h"

struct waits;

/* For mechanisms that are loaded.  NULL: no memory. */
struct waits *waits__new(const struct mechanisms *mechanisms);
/* NULL is allowed. */
void waits__free(struct waits *waits);
/*
 * Adds to these functions what was counted of them so far; valid until the next time.  Returns how many figures
 * could not be read.
 */
size_t waits__tell(struct waits *waits, Kview__Wire__FunctionDelta **functions, size_t nr);

#endif
