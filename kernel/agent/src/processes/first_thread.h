/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel knows a link's process by its first thread.  Once that has ended and others go on,
 * new links put no probe into the process, and one that goes takes all probes at its places along.
 */
#ifndef KVIEW_FIRST_THREAD_H
#define KVIEW_FIRST_THREAD_H

#include <stdbool.h>
#include <sys/types.h>

/* Whether it has, and others do.  False of a process that has ended as a whole, or is ending. */
bool first_thread__left_others(pid_t pid);

#endif
