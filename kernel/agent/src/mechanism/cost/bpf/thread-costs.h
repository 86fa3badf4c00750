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

/*
 * The same of a mechanism whose calls lie within others', and within the eBPF programs of these: functions of
 * the kernel.  The others look it up at their probes, and take over what was added since, see inner.bpf.h.
 */
struct xp_thread_inner {
	struct xp_thread_costs own;	/* of its own calls */
	struct xp_thread_costs for_others;	/* of the calls around these */
	__u64 in_program;		/* so many eBPF programs of the recording run: nothing is measured */
};

#endif
