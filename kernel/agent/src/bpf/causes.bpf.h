/* SPDX-License-Identifier: GPL-2.0 */
/* Why a thread leaves its CPU, or left it: one of the causes of enum xp_metric. */
#ifndef KVIEW_CAUSES_BPF_H
#define KVIEW_CAUSES_BPF_H

#include "causes-layout.h"
#include "metrics.h"
#include "regs.bpf.h"
#include "task.bpf.h"

/* Set before load. */
volatile const __u8 cause_of_syscall[XP_SYSCALLS];

#define TASK_STOPPED_OR_TRACED	0xc
#define TASK_FROZEN	0x8000		/* since Linux 6.1; unused before */
#define JOBCTL_TRAP_FREEZE	(1UL << 23)
#define ANON_INODE_FS_MAGIC	0x09041934
#define NR_IO_URING_ENTER	426	/* on all architectures */
#define S_IFMT		0170000
#define S_IFSOCK	0140000
#define S_IFIFO		0010000

/* By its name, as /proc/PID/fd has it. */
static __always_inline u8 cause__of_anonymous_file(struct file *file)
{
	const unsigned char *at = BPF_CORE_READ(file, f_path.dentry, d_name.name);
	u64 name = 0;

	bpf_probe_read_kernel(&name, sizeof(name), at);
	if (name == *(const u64 *)"[timerfd")
		return XP_SLEEP;
	return name == *(const u64 *)"[eventfd" ? XP_LOCK : XP_OTHER;
}

/* NULL: there is none. */
static __always_inline struct file *file__of_descriptor(struct task_struct *task, u64 fd)
{
	struct file **table, *file = NULL;
	struct fdtable *fdt;

	fdt = BPF_CORE_READ(task, files, fdt);
	if (!fdt || fd >= BPF_CORE_READ(fdt, max_fds))
		return NULL;
	table = BPF_CORE_READ(fdt, fd);
	bpf_probe_read_kernel(&file, sizeof(file), table + fd);
	return file;
}

/* What a thread waits for in read, write and their like. */
static __always_inline u8 cause__of_file(struct task_struct *task, u64 fd)
{
	struct file *file = file__of_descriptor(task, fd);
	unsigned int mode;

	if (!file)
		return XP_OTHER;
	mode = BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT;
	if (mode == S_IFSOCK || mode == S_IFIFO)
		return XP_NETWORK;
	return BPF_CORE_READ(file, f_inode, i_sb, s_magic) == ANON_INODE_FS_MAGIC ?
	       cause__of_anonymous_file(file) : XP_OTHER;
}

/*
 * Taken off its CPU although it could run, while its group is out of quota: what cpu.stat calls
 * throttled.  Since Linux 6.18 each task is throttled by itself, on its way out of the kernel.
 */
static __always_inline bool task__is_throttled(struct task_struct *task)
{
	struct cfs_rq *cfs_rq;

	if (bpf_core_field_exists(task->throttled) && task->throttled)
		return true;
	if (!bpf_core_field_exists(((struct cfs_rq *)0)->throttle_count))
		return false;
	cfs_rq = cfs_rq__of(task);
	return cfs_rq && cfs_rq->throttle_count > 0;
}

/* By a signal or a tracer, or the freezer; a parent in vfork counts as frozen, and is not. */
static __always_inline bool task__is_stopped(struct task_struct *task, unsigned int state)
{
	if (state & (TASK_STOPPED_OR_TRACED | TASK_FROZEN))
		return true;
	return bpf_core_field_exists(task->frozen) &&
	       BPF_CORE_READ_BITFIELD(task, frozen) && task->jobctl & JOBCTL_TRAP_FREEZE;
}

/*
 * The system call that a thread is in as it leaves its CPU; negative: none.  What goes on after the
 * thread was stopped goes on as restart_syscall: it is the one that was interrupted.  That one was
 * seen, at the latest when the thread stopped in it, and *seen is its number and 1; 0: none was.
 */
static __always_inline long thread__syscall(u16 *seen, const struct pt_regs *regs)
{
	long nr = REGS_SYSCALL(regs);

	if (nr == NR_RESTART_SYSCALL && *seen)
		return *seen - 1;
	if (nr >= 0 && nr < XP_SYSCALLS)
		*seen = nr + 1;
	return nr;
}

static __always_inline u8 cause__of_switch(u16 *seen, struct task_struct *task, bool preempt,
					   unsigned int state, long *syscall)
{
	struct pt_regs *regs;
	u8 cause;
	long nr;

	*syscall = -1;
	if (preempt || !state)
		return task__is_throttled(task) ? XP_THROTTLED : XP_PREEMPTED;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	nr = thread__syscall(seen, regs);
	*syscall = nr < 0 ? -1 : nr;
	if (task__is_stopped(task, state))
		return XP_STOPPED;
	/* Since Linux 6.5 io_uring sets it for whatever is waited for, sockets and timers too. */
	if (nr != NR_IO_URING_ENTER && BPF_CORE_READ_BITFIELD(task, in_iowait))
		return XP_BLOCK_IO;
	if (nr < 0)
		return XP_PAGE_FAULT;
	if (nr >= XP_SYSCALLS)
		return XP_OTHER;
	cause = cause_of_syscall[BOUND(nr, XP_SYSCALLS - 1)];
	return cause == XP_BY_FILE ? cause__of_file(task, REGS_ARGUMENT(regs)) : cause;
}

/* The switch-out was never reported: the system call that the thread is in says why it was. */
static __always_inline u8 cause__of_unreported(u16 *seen, struct task_struct *task)
{
	long nr = thread__syscall(seen, (struct pt_regs *)bpf_task_pt_regs(task));
	u8 cause = nr >= 0 && nr < XP_SYSCALLS ?
		   cause_of_syscall[BOUND(nr, XP_SYSCALLS - 1)] : XP_PREEMPTED;

	return cause == XP_BY_FILE ? XP_OTHER : cause;
}

#endif
