/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What threads waited for within calls, and who woke them.  This is what the agent shares with the eBPF programs
 * that count it.
 */
#ifndef KVIEW_WAITS_LAYOUT_H
#define KVIEW_WAITS_LAYOUT_H

#include <linux/types.h>

/* How many kinds of waits are told apart; later ones are counted by function and cause alone. */
#define XP_WAITS	4096
/* How many stacks of the kernel are told apart, and how many of the innermost functions each of them keeps. */
#define XP_WAIT_STACKS	1024
#define XP_WAIT_FRAMES	32

/* How many open files are told apart, and how many waits are counted by file. */
#define XP_WAIT_FILES	1024
#define XP_FILE_WAITS	(XP_WAITS / 2)

/* These stand in place of a file's number. */
#define XP_FILE_NONE	0	/* its system call is not about one, or it could not be read */
#define XP_FILE_NO_ROOM	1

/*
 * How many stacks of the program are told apart at most, by what lies on them, and how many waits are counted by them.  Of each so many bytes are kept, from the
 * stack pointer on: a power of two.
 */
#define XP_USER_STACKS		512
#define XP_USER_STACK_WAITS	(XP_WAITS / 2)
#define XP_USER_STACK_BYTES	4096
#define XP_USER_STACK_WORDS	(XP_USER_STACK_BYTES / 8)
/* Of so many measured functions, the innermost ones, it is kept where they return to: the kernel may have replaced that. */
#define XP_USER_STACK_CALLS	8
#define XP_USER_REGISTERS	17	/* by DWARF's numbers; behind those of x86-64 comes rip */

/* Where the process has code: so many pieces, a power of two; where it has more, pieces next to each other are one. */
#define XP_CODE_PIECES	64

/* Room for a path: its parts are read from the last to the first, and the one read last may be as long again. */
#define XP_PATH_BYTES	256
/* Room for the name of a Unix socket. */
#define XP_UNIX_BYTES	128

/* These stand in place of a stack's number, the kernel's or the program's. */
#define XP_STACK_UNKNOWN	0	/* it was not asked for, or could not be read */
#define XP_STACK_NO_ROOM	1

enum xp_waker {
	XP_WAKER_UNKNOWN,	/* the wake-up was not seen */
	XP_WAKER_THREAD,
	XP_WAKER_INTERRUPT,	/* a timer, a device, or what the network does in the name of any thread */
	XP_WAKERS
};

/*
 * How what is told as a lock's holder was found.  What lies beside a futex says so only if it is a lock of the C library: that
 * the memory looks like one is no proof, so the agent looks who called the system call.
 */
enum xp_holder {
	XP_HOLDER_UNKNOWN,
	XP_HOLDER_PI,		/* in the futex itself, as the kernel's interface has it */
	XP_HOLDER_MUTEX,	/* if it is a mutex */
	XP_HOLDER_ROBUST,	/* a robust one, which has it in the futex as well */
	XP_HOLDER_RWLOCK,	/* if it is a lock for reading and writing, that a writer holds */
	XP_HOLDERS
};

/* It is the key of a map, so it has no padding. */
struct xp_wait_key {
	__u32 function;
	__u32 waker_tid;	/* this and the next two: 0 but for XP_WAKER_THREAD */
	__u32 waker_pid;
	__u8 cause;		/* enum xp_metric */
	__u8 waker;		/* enum xp_waker */
	__u16 syscall;		/* + 1: in which the thread waited; 0: in none */
	__u64 file;		/* a number of struct xp_wait_file: what its first argument named */
	__u64 lock;		/* the futex's address; 0: none */
	__u64 stack;		/* where it waited: a number of struct xp_wait_stack */
	__u64 user_stack;	/* and in the program: a number of struct xp_user_stack */
	char waker_name[16];
	__u32 holder_tid;	/* of the lock, as the wait began; the host's number, but where holder_pid is 0 its process's; 0: not known */
	__u32 holder_pid;	/* 0: nobody looked whether there is such a thread */
	__u16 holder_function;	/* in which it was, + 1; 0: in none, or not known */
	__u8 holder;		/* enum xp_holder */
	__u8 reserved[5];
	char holder_name[16];
};

/* A copy of a stack as a thread waited, from the stack pointer to the outermost measured function that it was in. */
struct xp_user_stack {
	__u64 registers[XP_USER_REGISTERS];	/* with which the thread entered the kernel */
	__u64 end;		/* the stack pointer once that function returns; what is beyond the copy was not copied */
	__u32 nr_bytes;
	__u32 reserved;
	/* Return addresses by where they lay on the stack; 0: none. */
	struct {
		__u64 sp, to;
	} returns[XP_USER_STACK_CALLS];
	__u64 words[XP_USER_STACK_WORDS];
};

/* Ascending by start; those that are not used start at the end of memory. */
struct xp_code {
	__u64 starts[XP_CODE_PIECES];
	__u64 ends[XP_CODE_PIECES];
	__u64 end;		/* of the last one */
};

struct xp_wait_stack {
	__u64 frames[XP_WAIT_FRAMES];	/* return addresses, the innermost first; 0: no more */
};

enum xp_file_kind {
	XP_FILE_PATH,		/* names has the parts of its path, the last first, each with its end */
	XP_FILE_ANONYMOUS,	/* names has what the kernel calls it */
	XP_FILE_PIPE,
	XP_FILE_SOCKET,		/* of none of the following families */
	XP_FILE_INET,
	XP_FILE_UNIX,		/* names has its own name, and from XP_UNIX_BYTES on its peer's */
	XP_FILE_EPOLL
};

/* How many of the descriptors that an epoll watches are told apart. */
enum xp_watched {
	XP_WATCHED_SOCKETS,
	XP_WATCHED_PIPES,
	XP_WATCHED_EVENTS,
	XP_WATCHED_TIMERS,
	XP_WATCHED_OTHERS,
	XP_WATCHED_KINDS
};

/* An open file as it was when a thread first waited in a system call about it. */
struct xp_wait_file {
	__u64 inode;
	__u64 looked_ns;	/* when that was, or for the last time */
	__u32 descriptor;
	__u32 peer_pid;		/* of a Unix socket; 0: not known */
	__u16 mode;		/* as in struct stat */
	__u16 family;		/* this and the next three: of sockets */
	__u16 type;
	__u16 protocol;
	__u16 local_port;	/* of a Unix socket: the length of its name */
	__u16 peer_port;
	__u16 watched[XP_WATCHED_KINDS];
	__u8 kind;		/* enum xp_file_kind */
	__u8 listens;		/* a socket that waits for connections */
	__u8 is_cut;		/* there is more of the path, or more that is watched */
	__u8 parts;		/* of the path */
	__u8 is_unreachable;	/* the path is not below the process's root */
	__u8 reserved[5];
	__u8 local[16];
	__u8 peer[16];
	char names[2 * XP_PATH_BYTES];
};

struct xp_wait {
	__u64 ns;
	__u64 count;
};

#endif
