/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pairs of static probes (USDT), which are the begins and ends of calls: measured as functions are, by the same eBPF programs, but
 * that an end is told by its thread and not by its place on the stack.  They are root's alone.  StaticPair in agent.proto says which
 * begin and which end belong together.
 */
#ifndef KVIEW_PAIRS_H
#define KVIEW_PAIRS_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind pair_kind;

#endif
