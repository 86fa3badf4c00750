/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls of a process, counted and timed between the raw tracepoints at their entry and
 * exit.  This first version measures no CPU time and no causes, and has no events.  It serves
 * root and those whom root's policy allows it.  SystemCall in agent.proto says what else is not
 * measured.
 */
#ifndef KVIEW_SYSCALL_H
#define KVIEW_SYSCALL_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind syscall_kind;

#endif
