/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of a process's files, measured by traps at their entries and ends: uprobes. */
#ifndef KVIEW_TRAP_H
#define KVIEW_TRAP_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind trap_kind;

#endif
