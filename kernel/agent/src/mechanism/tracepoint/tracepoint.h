/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints of the kernel: how often the threads of a process come to them, and the time between.  It is root's alone.
 * Tracepoint in agent.proto says what counts as a hit.
 */
#ifndef KVIEW_TRACEPOINT_H
#define KVIEW_TRACEPOINT_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind tracepoint_kind;

#endif
