/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For what threads waited within calls, and who woke them: what the eBPF programs that count it share with the
 * agent.
 */
#ifndef KVIEW_WAITS_LAYOUT_H
#define KVIEW_WAITS_LAYOUT_H

/* So many are told apart; what comes after that is counted by function and cause alone. */
#define XP_WAITS	4096
/* So many stacks of the kernel's are told apart, and of each so many functions, the innermost. */
#define XP_WAIT_STACKS	1024
#define XP_WAIT_FRAMES	32

/* Instead of a stack's number. */
#define XP_STACK_UNKNOWN	0	/* it was not asked for, or could not be read */
#define XP_STACK_NO_ROOM	1

enum xp_waker {
	XP_WAKER_UNKNOWN,	/* the wake-up was not seen */
	XP_WAKER_THREAD,
	XP_WAKER_INTERRUPT,	/* a timer, a device, or what the network does in the name of any thread */
	XP_WAKERS
};

/* No byte of it is padding. */
struct xp_wait_key {
	__u32 function;
	__u32 waker_tid;	/* this and the next two: 0 but for XP_WAKER_THREAD */
	__u32 waker_pid;
	__u8 cause;		/* enum xp_metric */
	__u8 waker;		/* enum xp_waker */
	__u16 reserved;
	__u64 lock;		/* the futex's address; 0: none */
	__u64 stack;		/* where it waited: a number of struct xp_wait_stack */
	char waker_name[16];
};

struct xp_wait_stack {
	__u64 frames[XP_WAIT_FRAMES];	/* return addresses, the innermost first; 0: no more */
};

struct xp_wait {
	__u64 ns;
	__u64 count;
};

#endif
