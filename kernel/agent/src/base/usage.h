/* SPDX-License-Identifier: GPL-2.0 */
/* What the agent itself, and another process, take of their host. */
#ifndef KVIEW_USAGE_H
#define KVIEW_USAGE_H

#include <stdint.h>
#include <sys/types.h>

/* User and system time of all threads since the start. */
uint64_t usage__cpu_ns(void);
/* The same of another process, with its threads that have ended; 0 once it can't be known. */
uint64_t usage__process_cpu_ns(pid_t pid);
/* The most memory held at once; 0 if it can't be known. */
uint64_t usage__peak_rss_bytes(void);

#endif
