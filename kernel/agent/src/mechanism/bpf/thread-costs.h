/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What probes have cost a thread so far, at the beginning of the state that a mechanism keeps of it.  A
 * call's share is what this grew by between its entry and its end.  So a mechanism whose probes a thread
 * passes within other mechanisms' calls adds to it what that may have taken.
 */
#ifndef KVIEW_THREAD_COSTS_H
#define KVIEW_THREAD_COSTS_H

struct xp_thread_costs {
	__u64 overhead_ns;		/* at least: it is subtracted */
	__u64 uncertain_ns;		/* and how much more that may be */
};

#endif
