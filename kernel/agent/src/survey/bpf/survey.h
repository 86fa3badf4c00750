/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the eBPF programs of a survey and the agent share: the layout of maps and of the ring's
 * records.  All times are CLOCK_MONOTONIC ns.
 */
#ifndef KVIEW_SURVEY_LAYOUT_H
#define KVIEW_SURVEY_LAYOUT_H

#include <linux/types.h>

#include "mechanism/bpf/figures.h"

#define SURVEY_STACK_BYTES	(32U << 10)	/* a power of two; of deeper stacks only so much is copied */
#define SURVEY_RED_ZONE		128U	/* below the stack pointer, a function's own */
#define SURVEY_PAGE		4096U
#define SURVEY_KERNEL_FRAMES	48
#define SURVEY_METRICS		16	/* a power of two, more than XP_METRICS */
#define SURVEY_NO_STACK		0xffffffffU

/* Registers by DWARF's numbers; behind those of x86-64 comes rip. */
#define SURVEY_REGISTERS	17
#define SURVEY_SP		7
#define SURVEY_IP		16

/* A stack, and the time for which it stands. */
struct survey_stack {
	__u64 cause_ns;		/* on the CPU, or waiting for cause */
	__u64 queue_ns;		/* then runnable, waiting for a CPU */
	__u64 registers[SURVEY_REGISTERS];	/* with which the thread entered the kernel */
	__u64 stack_at;		/* the address of bytes, at the stack pointer or below */
	__u32 tid;
	__u32 nr_bytes;
	__u32 nr_kernel;
	__u8 cause;		/* enum xp_metric; XP_ON_CPU for one that runs */
	__u8 is_cut;		/* there is more of the stack than was copied */
	__u8 reserved[2];
	__u64 kernel[SURVEY_KERNEL_FRAMES];	/* the innermost first */
	__u8 bytes[SURVEY_STACK_BYTES + SURVEY_PAGE];
};

/* A thread of the process, by its tid.  It stays when the thread has ended. */
struct survey_thread {
	__u64 in_ns;		/* when it came to its CPU, or the survey began */
	__u64 out_ns;		/* when it left it; 0: it has one, or that was not seen */
	__u64 wake_ns;		/* when it was woken since; 0: not yet */
	/* Waited, and not yet in any stack that was sent. */
	__s64 owed_ns, owed_queue_ns;
	__u64 first_ran_ns;	/* the scheduler's account of it when it was first seen */
	__u64 ran_ns;		/* what was added to that */
	__u64 cost_ns;		/* what the programs took of its time, and of its CPU's as it came and went */
	__u64 switches;		/* how often it had left a CPU, when its stack was taken before the survey began */
	__u64 ns[SURVEY_METRICS];	/* on a CPU, and waiting, by enum xp_metric: all of its time */
	__u32 slot;		/* of its stack while it waits, or SURVEY_NO_STACK */
	__u16 syscall;		/* see cause__of_switch */
	__u8 cause;
	__u8 is_early;		/* it has waited since before the survey began */
	__u32 waits_on;		/* at the survey's end: its slot holds where, and for how long */
	__u32 reserved;
	char name[16];
};

struct survey_losses {
	__u64 stacks, stacks_ns;	/* without room in the ring, and the time they stood for */
	__u64 threads;			/* without room in the map of threads: not followed */
};

#endif
