/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the eBPF programs of the cpu-latency xprobe and the agent share: the layout of
 * maps, of cookies and of ring buffer records.  All times are CLOCK_MONOTONIC ns.
 */
#ifndef KVIEW_XPROBE_LAYOUT_H
#define KVIEW_XPROBE_LAYOUT_H

#define XP_BUCKETS	640
#define XP_DEPTH	128	/* frames a thread; a power of two */
#define XP_MAX_CPUS	1024	/* a power of two; higher CPUs share counters */
#define XP_SYSCALLS	512
#define XP_ENTERED	256	/* functions a thread remembers to have entered; a power of two */
#define XP_RANGES	4	/* pieces of a function's code */
/* The kernel follows no more return probes a thread (MAX_URETPROBE_DEPTH). */
#define XP_URETPROBE_DEPTH	64

/* The values of Metric in agent.proto. */
enum xp_metric {
	XP_WALL, XP_ON_CPU,
	XP_RUN_QUEUE, XP_PREEMPTED, XP_BLOCK_IO, XP_LOCK, XP_SLEEP, XP_NETWORK, XP_PAGE_FAULT,
	XP_STEAL, XP_OTHER, XP_THROTTLED, XP_STOPPED,
	XP_METRICS
};
#define XP_FIRST_CAUSE	XP_RUN_QUEUE
#define XP_CAUSES	(XP_METRICS - XP_FIRST_CAUSE)
/*
 * What is counted: a set of values for each metric, and one for calls that were on the CPU all
 * the time.  Their one value belongs to XP_WALL and to XP_ON_CPU, and is counted here alone.
 */
#define XP_UNDIVIDED	XP_METRICS
#define XP_SETS		(XP_METRICS + 1)
/* In the syscall table alone: the cause depends on the file that argument 1 names. */
#define XP_BY_FILE	0xff

/* How an exit is seen, as far as its cost goes. */
enum xp_exit_class { XP_EXIT_URETPROBE, XP_EXIT_EMULATED, XP_EXIT_STEPPED, XP_EXIT_CLASSES };
enum xp_entry_class { XP_ENTRY_EMULATED, XP_ENTRY_STEPPED, XP_ENTRY_CLASSES };

/*
 * What has a cost of its own: a call, by its entry and its exit; and a site that is passed, a
 * jump that stays in its function, where exit is not XP_EXIT_URETPROBE.
 */
#define XP_COST_CALL(entry, exit)	((entry) * XP_EXIT_CLASSES + (exit))
#define XP_COST_PASS(exit)		(XP_COST_CALL(XP_ENTRY_CLASSES, 0) + (exit) - XP_EXIT_EMULATED)
#define XP_COST_CALLS			XP_COST_CALL(XP_ENTRY_CLASSES, 0)
#define XP_COST_CLASSES			8	/* a power of two */

/*
 * What probes cost: a call inside what it measures, and its caller; a passed site has call_ns
 * alone.  With warm caches and no busy neighbour.  Otherwise it is the spread more at most.
 */
struct xp_cost {
	__u64 inner_ns;
	__u64 call_ns;
	__u64 inner_spread_ns;
	__u64 call_spread_ns;
	/* The middle of call_ns between warm and cold caches: nothing is subtracted by it. */
	__u64 likely_ns;
	/* What of call_ns its entry takes, for entries whose end is elsewhere: more or less by the spread. */
	__u64 entry_ns;
	__u64 entry_spread_ns;
};

/* What comes once in a process, and by how much it may be more or less. */
struct xp_once {
	__u64 ns, spread_ns;
};

/*
 * Maps with one value for each slot, function and set; a CPU writes to slot
 * (cpu & (slots - 1)):
 *
 *	index = (slot * functions + function) * XP_SETS + set
 *
 * Counts and buckets are apart, so that a reader touches just the buckets that changed.
 */
struct xp_total {
	__u64 count;		/* not of XP_UNDIVIDED: of XP_WALL and this one it is that of ended calls */
	__u64 total_ns;
	__u64 max_ns;
};

/* Counted modulo 2^32: a reader takes differences more often than that. */
struct xp_buckets {
	__u32 count[XP_BUCKETS];
};

/* All ways in which a call that was counted can fail to be measured: LostCalls in agent.proto. */
enum xp_lost {
	XP_LOST_TOO_DEEP,	/* nested too deep to be followed */
	XP_LOST_NO_MEMORY,	/* no state for its thread could be had */
	XP_LOST_END_UNSEEN,	/* it ended, and no probe saw it */
	XP_LOST_PROBES_OFF,	/* its function's probes came off while it ran */
	XP_LOST_EXEC,		/* the process executed another program in it */
	XP_LOST_WAYS
};

/*
 * One for each slot and function; just numbers of 64 bits.  Once nothing is attached
 *
 *	calls = timed + abandoned + unfinished + the sum of lost
 *
 * where timed is the sum of ended.  Until then calls is more by those that run.
 */
struct xp_calls {
	__u64 calls;
	__u64 abandoned;
	__u64 unfinished;
	__u64 lost[XP_LOST_WAYS];
	__u64 cut;		/* timed: until they went on to another function */
	__u64 inconsistent;	/* timed: shorter than what is not theirs, made to fit */
	__u64 passed;		/* sites that neither began nor ended a call */
	__u64 returns;		/* no calls: returns of none that was seen */
	/*
	 * The probes' own time: what was taken off the figures, and may be wrong, either way.
	 * What a call has by its class alone is counted in ended, and comes on top; the rest is
	 * modulo 2^64, as it may be less.  Of calls that were shorter than that missing_ns was not
	 * taken off: so much less is removed, and more uncertain.
	 */
	__u64 ended[XP_COST_CALLS];
	__u64 removed_ns;
	__u64 uncertain_ns;
	__u64 missing_ns;
	/*
	 * Of removed_ns: time off the CPU within probes' traps.  And the squares of each time, in
	 * units of XP_SQUARE_NS: that it was the probe's and not the call's is chance.
	 */
	__u64 waited_ns;
	__u64 waited_squares;
	__u64 cost_ns;		/* of all the function's probes */
	/* What the figures are held against, see FunctionDelta in agent.proto. */
	__u64 inner_ns;		/* timed calls: what the measured calls within them took */
	__u64 threads;		/* that entered it, at least once each */
	__u64 places;		/* over its threads: how many calls of it a thread can be in at once */
};

#define XP_SQUARE_NS	1024

struct xp_range {
	__u64 start, end;
};

/* Ways into the kernel, see trap.bpf.h. */
struct xp_span {
	__u64 start, end;
};

struct xp_entry_code {
	struct xp_span breakpoint, step, call;
};

/* Addresses are in the file's address space; ranges as in struct fn_function. */
struct xp_function {
	__u64 address;
	__u16 entry_class;	/* enum xp_entry_class */
	__u16 probes_off;	/* they came off before the end */
	__u32 nr_ranges;
	__u32 file;		/* the same number for functions of one file */
	__u32 reserved;
	struct xp_range ranges[XP_RANGES];
};

/* A function that is measured begins here. */
struct xp_beginning {
	__u64 address;		/* in the file's address space */
	__u32 file;
	__u32 reserved;
};

/*
 * Cookie of a probe:
 *
 *	 63            32 31   30 29  25 24   21 20  18 17   16 15     14 13       0
 *	+----------------+-------+------+-------+------+-------+---------+----------+
 *	| site address - | after | reg  | cond  | kind | class | edition | function |
 *	| function's     |       |      |       |      |       |         |          |
 *	+----------------+-------+------+-------+------+-------+---------+----------+
 *
 * kind is enum fn_site_kind, class is enum xp_exit_class, at an entry as well (there it
 * tells just a return probe from sites).  At an entry cond is 1 where it is of
 * XP_ENTRY_STEPPED.  after is enum xp_after, edition that of the link, see edition.bpf.h.
 */
#define XP_COOKIE_FUNCTION(c)	((__u32)(c) & 0x3fff)
#define XP_COOKIE_EDITION(c)	((__u32)((c) >> 14) & 3)
#define XP_COOKIE_CLASS(c)	((__u32)((c) >> 16) & 3)
#define XP_COOKIE_KIND(c)	((__u32)((c) >> 18) & 7)
#define XP_COOKIE_CONDITION(c)	((__u32)((c) >> 21) & 15)
#define XP_COOKIE_STEPPED(c)	XP_COOKIE_CONDITION(c)
#define XP_COOKIE_REG(c)	((__u32)((c) >> 25) & 31)
#define XP_COOKIE_AFTER(c)	((__u32)((c) >> 30) & 3)
#define XP_COOKIE_OFFSET(c)	((__s32)((c) >> 32))	/* a cold part may lie before */

/* What comes after an exit site. */
enum xp_after {
	XP_AFTER_UNSEEN,	/* the call ends here, or its end can't be seen */
	XP_AFTER_PROBED,	/* it goes on in a function that is itself probed */
	XP_AFTER_FOLLOWED,	/* it goes on in one whose ends have probes for this purpose */
};

/* The ids of events in ctf-layout.md. */
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

/* Counters of a whole recording. */
struct xp_counters {
	__u64 early_returns;	/* surely of calls that began before the recording */
	__u64 healed_switches;
	__u64 children_missed;	/* for which probed_children had no room */
	__u64 children;		/* that were forked with probes in their code */
	__u64 children_cpu_ns;	/* CPU time of those that ended, or executed, before they were freed */
};

/* Whether calls are measured. */
enum xp_active {
	XP_INACTIVE,	/* something is attached or detached: no call is seen by half */
	XP_ACTIVE,
	XP_REVOKED,	/* the process was given rights: never again */
};

enum xp_told {
	XP_TOLD_CHILD,		/* it was forked, with probes in its code */
	XP_TOLD_EXEC,		/* no child: the traced process executed another program */
	XP_TOLD_CODE,		/* nor this: it loaded code */
};

struct xp_child {
	__u32 tgid;
	__u32 what;		/* enum xp_told */
};

#endif
