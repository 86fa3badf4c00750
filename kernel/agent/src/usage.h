/* SPDX-License-Identifier: GPL-2.0 */
/* What the agent itself takes of its host. */
#ifndef KVIEW_USAGE_H
#define KVIEW_USAGE_H

#include <stdint.h>

/* User and system time of all threads since the start. */
uint64_t usage__cpu_ns(void);
/* The most memory held at once; 0 if it can't be known. */
uint64_t usage__peak_rss_bytes(void);

#endif
