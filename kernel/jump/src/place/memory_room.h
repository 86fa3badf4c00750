/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a process may have more memory: beyond the limit of its control groups the kernel would end it, or one that shares them. */
#ifndef KVIEW_JUMP_MEMORY_ROOM_H
#define KVIEW_JUMP_MEMORY_ROOM_H

#include <stdint.h>
#include <sys/types.h>

struct error;

/* room: so many bytes more; UINT64_MAX: there is no limit.  0, or -1: its control groups are not seen from here, so that it is not known. */
int memory_room__of(pid_t pid, uint64_t *room, struct error *error);

#endif
