/* SPDX-License-Identifier: GPL-2.0 */
/* CPU time and memory that the agent, or another process, uses. */
#ifndef KVIEW_USAGE_H
#define KVIEW_USAGE_H

#include <stdint.h>
#include <sys/types.h>

/* User and system time of all threads of the agent since its start. */
uint64_t usage__cpu_ns(void);
/* The same for another process, including threads that have ended; 0 where it is not known. */
uint64_t usage__process_cpu_ns(pid_t pid);
/* The agent's peak memory; 0 where it is not known. */
uint64_t usage__peak_rss_bytes(void);

#endif
