/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * kview: who runs in a view.  Included by kview.h, which is the contract's first part, and has
 * what holds for all requests and their numbers.
 */
#ifndef _UAPI_KVIEW_ATTACH_H
#define _UAPI_KVIEW_ATTACH_H

#include <linux/types.h>

/* The child of fork joins the attachment before its first user instruction. */
#define KVIEW_ATTACH_FORK	(1U << 0)
/*
 * A process that calls execve stays in the view.  A child by vfork or posix_spawn shares its parent's
 * memory, and so is in the view until its execve; then it stays only with KVIEW_ATTACH_FORK, too.
 * Modules without KVIEW_FEATURE_VFORK: then it stays with this flag alone as well, until it ends or
 * the attachment is closed.
 */
#define KVIEW_ATTACH_EXEC	(1U << 1)

/**
 * struct kview_attach - let a process run in the view; returns an attachment fd
 * @pidfd:	of the process, see pidfd_open(2)
 * @flags:	KVIEW_ATTACH_* bits
 * @owner:	user pointer to a struct kview_item to fill on EBUSY and EUSERS, or 0
 * @owner_size:	sizeof(struct kview_item) as the caller knows it; 0 without @owner
 * @reserved:	0
 *
 * All threads of the process, and every process that shares its memory, are in
 * the view when this returns: from one instant on, whatever CPUs they run on, and for all
 * sets that there are.  They leave it in the same way when the attachment is closed.
 * So a child by vfork that is attached before its execve draws its parent in, too: the parent stays
 * in the view, and is counted, until the attachment is closed.
 *
 * A process can be in several views, of whatever clients (KVIEW_FEATURE_SHARED): each has its own
 * sites, counters and losses there, and its own flags for what becomes of children and of execve.
 * What one of them does, or how it ends, makes the others lose no call.
 *
 * EBADF:	not a pidfd
 * ESRCH:	the process has ended
 * EINVAL:	a kernel thread
 * EACCES:	the caller may not trace that process, see ptrace(2)
 * EBUSY:	the process is in this view already; @owner is the attachment that has it,
 *		or all zero when it has just left, or that attachment is only being made.
 *		Modules without KVIEW_FEATURE_SHARED: it is in any view
 * EUSERS:	it is in 16 other views; @owner is an attachment that has it, as above
 * EADDRNOTAVAIL: the module's own hooks, by which it follows processes, cannot be had now: another
 *		tracer is changing the same text; or the process is in another view, and another tracer
 *		has a kprobe on an instruction that this view or that one has changed
 * ENOSPC:	... or there are KVIEW_SITES_MAX sites already
 * EINTR:	a fatal signal came while waiting for the process's memory map, or for
 *		the end of its execve
 */
struct kview_attach {
	__s32 pidfd;
	__u32 flags;
	__u64 owner;
	__u32 owner_size;
	__u32 reserved;
};

/**
 * struct kview_attach_cgroup - let a cgroup's processes run in the view; returns an
 * attachment fd
 * @cgroup_fd:	the cgroup's directory, opened (cgroup v2)
 * @flags:	0
 *
 * Every process in the cgroup and in its descendants is in the view when this
 * returns, and so is, from then on, whoever
 *
 *	is forked by one of them, before its first instruction in user mode,
 *	is moved into the cgroup, when the write to cgroup.procs returns,
 *	is created in it from outside (CLONE_INTO_CGROUP), when clone3() returns to
 *		its parent: what the child did before went unseen.
 *
 * execve changes nothing.  A process that is moved out has left the view when the
 * write returns.  A process belongs where its main thread is, and kernel threads
 * do not count.  With processes that share memory (vfork), all are in the view as
 * long as one of them is in the cgroup.  Whom another attachment of this view has, it
 * keeps, see struct kview_attach_stat.  An attachment does not keep its cgroup from being
 * removed.
 *
 * EPERM:	the caller lacks CAP_SYS_PTRACE, too: any user's process may come
 * EBADF:	not a cgroup's fd
 * EOPNOTSUPP:	the kernel log says what this kernel lacks
 * EADDRNOTAVAIL, ENOSPC, EUSERS: as of struct kview_attach
 * EINTR:	a fatal signal came meanwhile
 */
struct kview_attach_cgroup {
	__s32 cgroup_fd;
	__u32 flags;
};

/**
 * struct kview_attach_flow - let the packets of one receive queue run in the view;
 * returns an attachment fd
 * @ifindex:	the network device, in the caller's network namespace, see
 *		if_nametoindex(3); 0 when @napi_id is used
 * @queue:	the receive queue, from 0; 0 when @napi_id is used
 * @napi_id:	the NAPI instance by which packets come, as a socket's option
 *		SO_INCOMING_NAPI_ID says; 0 when @ifindex is used
 * @flags:	0
 * @owner:	user pointer to a struct kview_item to fill on EBUSY, or 0
 * @owner_size:	sizeof(struct kview_item) as the caller knows it; 0 without @owner
 * @reserved:	0
 *
 * The queue has to be polled by a kernel thread (threaded NAPI, 1 written to
 * /sys/class/net/DEVICE/threaded): this thread is what is attached.  Everything that
 * it does with a packet is in the view, up to handing it to a socket, a device or,
 * with receive packet steering, another CPU; what others do with it is not.  Which
 * flows come by which queue is the NIC's and the driver's to decide.
 *
 * Queues are numbered as their NAPI instances were created, which in drivers that
 * have one for each queue is the queues' own order.
 *
 * When the thread ends (the device is removed; in some drivers, taken down) the
 * attachment has no process any more.  A thread that is merely out of use, because
 * threaded NAPI was switched off, stays attached on 6.1 and 6.12; 7.2 ends it.  Attaching and closing stop all CPUs
 * for some microseconds.
 *
 * EPERM:	the caller lacks CAP_NET_ADMIN over the network namespace, too
 * ENXIO:	no such device, queue or NAPI instance
 * EOPNOTSUPP:	threaded NAPI is off
 * ESRCH:	the thread ended meanwhile
 * EBUSY:	the queue is in a view already, of whatever client; @owner as in struct kview_attach
 * EADDRNOTAVAIL, ENOSPC: as of struct kview_attach
 */
struct kview_attach_flow {
	__s32 ifindex;
	__u32 queue;
	__u32 napi_id;
	__u32 flags;
	__u64 owner;
	__u32 owner_size;
	__u32 reserved;
};

#endif /* _UAPI_KVIEW_ATTACH_H */
