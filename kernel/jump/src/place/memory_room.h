/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a process may have more memory: beyond the limit of its control groups the kernel would end it, or one that shares them. */
#ifndef KVIEW_JUMP_MEMORY_ROOM_H
#define KVIEW_JUMP_MEMORY_ROOM_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Returns 0, also where no limit is known, or -1 with error: so many bytes more would not fit, if all of them were used. */
int memory_room__check(pid_t pid, uint64_t bytes, struct error *error);

#endif
