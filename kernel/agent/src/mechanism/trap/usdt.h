/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static probes (USDT) of a process's files: how often its threads come to them, and the time between, by traps in its code.
 * It is root's alone.  StaticProbe in agent.proto says what counts as a hit.
 */
#ifndef KVIEW_USDT_H
#define KVIEW_USDT_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind usdt_kind;

/* Adds those of a file that found's pattern matches.  Returns 0, or -1 with error filled, also where there are none. */
int usdt__find_names(struct point_names *found, const Kview__Wire__StaticProbesOf *request, struct error *error);

#endif
