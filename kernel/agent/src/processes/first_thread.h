/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel identifies the process of an eBPF link by its first thread.  Once that has ended while
 * others go on, a new link sets no probe in the process, and a link that is closed removes all
 * probes at its addresses, including those of other links.
 */
#ifndef KVIEW_FIRST_THREAD_H
#define KVIEW_FIRST_THREAD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Whether the first thread has ended and others go on.  False for a process that has ended as a
 * whole, or is ending.
 */
bool first_thread__left_others(pid_t pid);

#endif
