/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the eBPF programs of the cpu-latency xprobe and the agent share beside figures and events:
 * the layout of maps and of cookies.  All times are CLOCK_MONOTONIC ns.
 */
#ifndef KVIEW_XPROBE_LAYOUT_H
#define KVIEW_XPROBE_LAYOUT_H

#include "bpf/events.h"
#include "mechanism/bpf/figures.h"
#include "mechanism/bpf/thread.h"

#define XP_RANGES	4	/* pieces of a function's code */
/* The kernel follows no more return probes a thread (MAX_URETPROBE_DEPTH). */
#define XP_URETPROBE_DEPTH	64

/* How an exit is seen, as far as its cost goes. */
enum xp_exit_class { XP_EXIT_URETPROBE, XP_EXIT_EMULATED, XP_EXIT_STEPPED, XP_EXIT_CLASSES };
enum xp_entry_class { XP_ENTRY_EMULATED, XP_ENTRY_STEPPED, XP_ENTRY_CLASSES };

/*
 * What has a cost of its own: a call, by its entry and its exit; and a site that is passed, a
 * jump that stays in its function, where exit is not XP_EXIT_URETPROBE.
 */
#define XP_COST_CALL(entry, exit)	((entry) * XP_EXIT_CLASSES + (exit))
#define XP_COST_PASS(exit)		(XP_COST_CALL(XP_ENTRY_CLASSES, 0) + (exit) - XP_EXIT_EMULATED)
_Static_assert(XP_COST_CALL(XP_ENTRY_CLASSES, 0) == XP_COST_CALLS, "classes of calls");
_Static_assert(XP_COST_PASS(XP_EXIT_CLASSES) <= XP_COST_CLASSES, "classes of calls and of passed sites");

/* What comes once in a process, and by how much it may be more or less. */
struct xp_once {
	__u64 ns, spread_ns;
};

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

/* Whether a probe was met, and whether one came by the code that is known. */
struct xp_ways_in {
	__u32 looked, known;
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
