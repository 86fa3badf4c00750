/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of this room share: who calls, the policy, and what the caller may do with a process. */
#ifndef KVIEW_PERMISSION_ACCESS_H
#define KVIEW_PERMISSION_ACCESS_H

#include <sys/types.h>

#include "base/error.h"
#include "permission/caller.h"
#include "permission/policy.h"

enum access { ACCESS_NONE, ACCESS_OWN, ACCESS_BY_POLICY };

extern struct caller caller;
extern struct policy policy;

/* A descriptor of its folder in /proc, or -1. */
int access__open_process(pid_t pid);
enum access access__to(int process);
/* Returns -1 with error filled. */
int access__refuse(pid_t pid, struct error *error);

#endif
