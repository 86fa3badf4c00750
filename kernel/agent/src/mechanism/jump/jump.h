/* SPDX-License-Identifier: GPL-2.0 */
/* User functions, measured by jumps that are put into the process, see docs/jump-probes.md. */
#ifndef KVIEW_MECHANISM_JUMP_H
#define KVIEW_MECHANISM_JUMP_H

#include "mechanism/mechanism.h"

extern const struct mechanism_kind jump_kind;

#endif
