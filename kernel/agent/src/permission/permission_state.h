/* SPDX-License-Identifier: GPL-2.0 */
/* What permission.c knows, for this folder alone. */
#ifndef KVIEW_PERMISSION_STATE_H
#define KVIEW_PERMISSION_STATE_H

#include <stdbool.h>
#include <sys/types.h>

/* The caller's name, if it has fewer rights than the agent; else NULL. */
const char *permission__restricted(void);
bool permission__allows_jumps(void);
/* Whether the held process, if one is, lives, and is one that the caller may trace. */
bool permission__may_trace_held(void);
bool permission__holds(pid_t pid);
/* Whether the caller may trace any other process. */
bool permission__may_trace(pid_t pid);

#endif
