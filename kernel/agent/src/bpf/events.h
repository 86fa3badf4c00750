/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of a mechanism's ring buffer, from which events are written.  All times are
 * CLOCK_MONOTONIC ns.
 */
#ifndef KVIEW_EVENTS_LAYOUT_H
#define KVIEW_EVENTS_LAYOUT_H

#include "metrics.h"

#define XP_MAX_CPUS	1024	/* a power of two; higher CPUs share counters */

/* The ids of events in trace.tsdl. */
enum xp_event_type {
	XP_CALL_ENTRY, XP_CALL_EXIT, XP_SWITCH_OUT, XP_WAKEUP, XP_SWITCH_IN, XP_THREAD_EXIT,
	XP_EVENT_TYPES
};

/*
 * time_ns is always taken after the record was reserved, reserved_ns before: so no record
 * that comes later in the ring has a time_ns below reserved_ns of this one, however long
 * its writer was preempted.  That is what lets the reader put events in order without
 * guessing how late one can be.
 */
struct xp_event {
	__u64 reserved_ns;
	__u64 time_ns;
	__u32 tid;
	__u16 cpu;
	__u8 type;		/* enum xp_event_type */
	__u8 cause;		/* switch_out: enum xp_metric; call_exit: number of causes */
};

struct xp_event_call {
	struct xp_event head;
	__u32 function;
	__u32 depth;
};

struct xp_event_exit {
	struct xp_event_call call;
	__u64 begin_ns;
	__u64 wall_ns;
	__u64 on_cpu_ns;
};

/* An exit with causes: off_ns is by cause, 0 where it did not occur. */
struct xp_event_exit_causes {
	struct xp_event_exit exit;
	__u64 off_ns[XP_CAUSES];
};

struct xp_event_switch_out {
	struct xp_event head;
	__s32 syscall;
	__u32 reserved;
};

struct xp_event_wakeup {
	struct xp_event head;
	__u32 waker_tid;
	char waker_comm[16];
	__u32 reserved;
};

struct xp_event_switch_in {
	struct xp_event head;
	__u64 off_ns;
	__u64 queued_ns;
};

#endif
