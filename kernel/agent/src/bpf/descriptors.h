/* SPDX-License-Identifier: GPL-2.0 */
/* Which system calls name by their first argument what they wait for. */
#ifndef KVIEW_DESCRIPTORS_H
#define KVIEW_DESCRIPTORS_H

#include <stdint.h>

#include "bpf/causes-layout.h"

/* Fills all[XP_SYSCALLS] with whether the first argument of that system call is such a descriptor. */
void descriptors__fill(uint8_t *all);

#endif
