/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_JUMP_ROOM_H
#define KVIEW_JUMP_ROOM_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Where a process has room for so many bytes, within reach of 32-bit jumps to and from all of [start, end), with some
 * distance left to what its code names; 0: nowhere, or its mappings can't be read.
 */
uint64_t room__find(pid_t pid, uint64_t start, uint64_t end, uint64_t bytes);

#endif
