/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls of a process, measured between the raw tracepoints at their entry and exit; the
 * scheduler's tracepoints tell how long they were off the CPU, and why.  It serves root and those whom
 * root's policy allows it.  SystemCall in agent.proto says what is not measured.
 */
#ifndef KVIEW_SYSCALL_H
#define KVIEW_SYSCALL_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind syscall_kind;

#endif
