// SPDX-License-Identifier: GPL-2.0
#include "mechanism/mechanism.h"
#include "mechanism/syscall/syscall.h"
#include "mechanism/trap/trap.h"

const struct mechanism_kind *const mechanism_kinds[] = { &trap_kind, &syscall_kind, NULL };
