/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a process may have more memory: beyond the limit of its control groups the kernel would end it, or one that shares them. */
#ifndef KVIEW_JUMP_MEMORY_ROOM_H
#define KVIEW_JUMP_MEMORY_ROOM_H

#include <stdint.h>
#include <sys/types.h>

/* So many bytes more; UINT64_MAX: no limit is known. */
uint64_t memory_room__of(pid_t pid);

#endif
