/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs of a flow keep of single calls, and the agent reads in memory that both see. */
#ifndef KVIEW_FLOW_LAYOUT_H
#define KVIEW_FLOW_LAYOUT_H

#include <linux/types.h>

/*
 * What happened in a call, one word after the other:
 *
 *	63    61 60          44 43       32 31                     0
 *	+-------+--------------+-----------+------------------------+
 *	| kind  | function     | depth     | ns since the step before
 *	+-------+--------------+-----------+------------------------+
 *
 * function: its number among those that are hooked; of OUT the cause, enum xp_metric.
 * depth: how far down the thread's stack it was called, in words of 8 bytes.
 * Of QUEUE and LATER all below kind is a number of ns: QUEUE, behind IN, for how long of its absence the thread could
 * run; LATER, before a step, what did not fit into that one's.  GONE is in no word: the agent makes it of an ENTER
 * that has no LEAVE.
 */
enum flow_kind { FLOW_KIND_NONE, FLOW_KIND_ENTER, FLOW_KIND_LEAVE, FLOW_KIND_OUT, FLOW_KIND_IN, FLOW_KIND_QUEUE, FLOW_KIND_LATER,
		 FLOW_KIND_GONE };

#define FLOW_KIND_SHIFT		61
#define FLOW_FUNCTION_SHIFT	44
#define FLOW_FUNCTION_MASK	0x1ffff
#define FLOW_DEPTH_SHIFT	32
#define FLOW_DEPTH_MASK		0xfff
#define FLOW_TIME_MASK		0xffffffffULL
#define FLOW_NUMBER_MASK	((1ULL << FLOW_KIND_SHIFT) - 1)

/* For 8 192 steps, also where every other one is an IN with its QUEUE. */
#define FLOW_WORDS		12288
#define FLOW_COMM		16

struct flow_buffer {
	__u32 tid;
	__u32 nr;			/* words */
	__u64 begin_ns;
	__u64 wall_ns;
	__u64 off_ns;			/* the waits, also those that found no room */
	__s64 result;
	__u64 cut_steps;		/* that found no room, all of them after the last one that did */
	__u64 unseen_switches;		/* that were not told */
	char comm[FLOW_COMM];
	__u64 words[FLOW_WORDS];
};

/* A call that is under way. */
struct flow_open {
	__u64 begin_ns;
	__u64 last_ns;			/* of the last step */
	__u64 out_ns;			/* it is off its CPU since then; 0: it is not */
	__u64 off_ns;
	__u64 delay_at_out_ns;
	__u64 switches_before, switches;	/* before the call; in it, those that were seen leaving the CPU */
	__u64 unseen;
	__u64 cut;
	__u64 exec_id;			/* of the program that made it */
	__u64 top, root_sp;		/* of the thread's stack; at the root's entry */
	__u32 nr;				/* words */
	__u32 buffer;
	__u32 place;
	__u16 syscall;
	__u8 cause;			/* of the absence */
};

#define FLOW_MOST_KEPT		100
/* Calls that are kept, and those under way; a number of one fits into the part of a slot that is not its wall time. */
#define FLOW_BUFFER_BITS	12
#define FLOW_MOST_BUFFERS	1024
/* Places for the threads that are in a call: FLOW_WAYS of them are looked at for one. */
#define FLOW_WAYS		8
#define FLOW_BUCKETS		512
#define FLOW_PLACES		(FLOW_BUCKETS * FLOW_WAYS)

struct flow_counts {
	__u64 calls, wall_ns;		/* that began and ended meanwhile */
	__u64 lost;			/* that could not be followed */
	__u64 unended;			/* whose end can't come any more */
	__u64 unseen_switches;		/* in them */
	__u64 elsewhere;		/* calls of functions on another stack than the thread's */
};

#endif
