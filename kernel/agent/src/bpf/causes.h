/* SPDX-License-Identifier: GPL-2.0 */
/* Which syscall waits for what. */
#ifndef KVIEW_CAUSES_H
#define KVIEW_CAUSES_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/causes-layout.h"

/* Fills causes[XP_SYSCALLS] with enum xp_metric, or XP_BY_FILE, by syscall number. */
void causes__fill(uint8_t *causes);

#endif
