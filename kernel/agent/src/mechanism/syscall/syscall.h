/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls of a process, counted and timed between the raw tracepoints at their entry and
 * exit.  First version: no time on the CPU, no causes, no events, for root and whom root's policy
 * allows it; what else is not measured says SystemCall in agent.proto.
 */
#ifndef KVIEW_SYSCALL_H
#define KVIEW_SYSCALL_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind syscall_kind;

#endif
