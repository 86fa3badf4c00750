/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the agent and the eBPF programs of every mechanism share beside figures and events: sizes of
 * a thread's state, and counters of a whole recording.
 */
#ifndef KVIEW_THREAD_LAYOUT_H
#define KVIEW_THREAD_LAYOUT_H

#define XP_ENTERED	256	/* functions a thread remembers to have entered; a power of two */

/* Counters of a whole recording. */
struct xp_counters {
	__u64 early_returns;	/* surely of calls that began before the recording */
	__u64 healed_switches;
	__u64 threads;		/* that met a probe */
	__u64 threads_unseen;	/* that ended when their state could not be had */
	__u64 children_missed;	/* for which probed_children had no room */
	__u64 children;		/* that were forked with probes in their code */
	__u64 others_probes;	/* of a cgroup or a process tree: that processes outside it met */
	__u64 others_ns;	/* and what these cost them, at most */
	__u64 children_cpu_ns;	/* CPU time of those that ended, or executed, before they were freed */
};

/* Context switches that a thread of the process left its CPU in, by what that costs. */
enum xp_switch { XP_SWITCH_PLAIN, XP_SWITCH_FOLLOWED, XP_SWITCH_KINDS };

/* CPUs share them; each has a line of the caches. */
#define XP_SWITCH_SLOTS	64
struct xp_switches {
	__u64 nr[XP_SWITCH_KINDS];
} __attribute__((aligned(64)));

/* Whether calls are measured. */
enum xp_active {
	XP_INACTIVE,	/* something is attached or detached: no call is seen by half */
	XP_ACTIVE,
	XP_REVOKED,	/* the process was given rights: never again */
};

#endif
