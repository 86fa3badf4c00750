/* SPDX-License-Identifier: GPL-2.0 */
/* A child of the agent's own that a signal ends if it makes certain system calls: shows whether it makes them. */
#ifndef KVIEW_FILTERED_CHILD_H
#define KVIEW_FILTERED_CHILD_H

#include <stdbool.h>

/*
 * The system calls by which a thread comes into the kernel at a replaced return address, and at a fast
 * probe (x86_64).
 */
#define NR_URETPROBE	335
#define NR_UPROBE	336

struct filtered_child {
	unsigned int denied[2];
	int (*prepare)(void);		/* before the filter is there; 0, or it can't be tried */
	void (*call)(void);
};

/*
 * Whether call returns in the child, or could make system calls in any case, as the kernel has no
 * filters.  No core is dumped and nothing logged where it does not.
 */
bool filtered_child__goes_on(const struct filtered_child *child);

#endif
