/* SPDX-License-Identifier: GPL-2.0 */
/* A recording of one point, as far as to what it consists of in the kernel: to see what it would cost. */
#ifndef KVIEW_WAYS_BEGIN_H
#define KVIEW_WAYS_BEGIN_H

#include <sys/types.h>

#include "agent.pb-c.h"
#include "base/error.h"

struct mechanisms;

/* What a way costs depends on the way alone: these points are there in each kernel, and read() comes to the function. */
#define WAY_SYSTEM_CALL		"read"
#define WAY_KERNEL_FUNCTION	"vfs_read"

/* Loaded and not attached, of a process of the agent's own.  NULL: error says why it can't be had here. */
struct mechanisms *way__begin(pid_t pid, Kview__Wire__Probe__PointCase point, Kview__Wire__Filter filter, struct error *error);

#endif
