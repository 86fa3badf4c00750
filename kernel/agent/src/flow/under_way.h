/* SPDX-License-Identifier: GPL-2.0 */
/* Calls that had begun before the process entered the view: nothing of them is seen. */
#ifndef KVIEW_FLOW_UNDER_WAY_H
#define KVIEW_FLOW_UNDER_WAY_H

#include <stdint.h>
#include <sys/types.h>

#include "flow/calls.h"

/*
 * How many threads of the process wait in this system call, by its number, and are not followed there.  To be asked once calls
 * are followed.  It may be too few: of threads that run nobody can tell, and no more than some thousand are asked.
 */
uint64_t calls_under_way__count(const struct flow_calls *calls, pid_t pid, int number);

#endif
