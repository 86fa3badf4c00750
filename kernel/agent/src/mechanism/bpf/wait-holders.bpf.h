/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who holds the lock that a thread waits for, where that stands in memory.  What is read here is true if the futex belongs to
 * such a lock, which the agent finds out by where in the program the thread waits.
 *
 *	glibc's pthread_mutex_t		0 the futex, 4 count, 8 owner, 12 users, 16 kind
 *	glibc's pthread_rwlock_t	8 and 12 futexes, 16 and 20 nothing, 24 the writer, 28 whether it is shared, 48 flags
 *
 * The owner stands there from just after the lock was taken until just before it is released.
 */
#ifndef KVIEW_WAIT_HOLDERS_BPF_H
#define KVIEW_WAIT_HOLDERS_BPF_H

#include "mechanism/bpf/waits.h"

#if defined(__TARGET_ARCH_x86)
#define NR_FUTEX	202
#else
#define NR_FUTEX	98
#endif
#define NR_FUTEX_WAIT	455	/* since Linux 6.7, on all architectures */

/* As in <linux/futex.h>. */
#define FUTEX_WAIT		0
#define FUTEX_LOCK_PI		6
#define FUTEX_WAIT_BITSET	9
#define FUTEX_LOCK_PI2		13
#define FUTEX_PRIVATE_FLAG	128
#define FUTEX_CMD_MASK		127
#define FUTEX_TID_MASK		0x3fffffff

#define MUTEX_KIND_TYPE		3
#define MUTEX_RECURSIVE		1
#define MUTEX_ROBUST		0x10
#define MUTEX_SHARED		0x80
/* These, and what is said of transactions. */
#define MUTEX_KINDS		(MUTEX_KIND_TYPE | MUTEX_ROBUST | MUTEX_SHARED | 0x300)
/* What the C library expects in a mutex that others wait for, too. */
#define MUTEX_CONTENDED		2

struct mutex_words {
	u32 lock, count, owner, users, kind;
};

/* Of a lock for reading and writing, from its second futex on. */
struct rwlock_words {
	u32 nothing[2];
	u32 writer;
	u32 shared;
	u32 nothing_either[4];
	u32 flags;
};

/* These came with Linux 6.2 and 6.14. */
extern struct task_struct *bpf_task_from_pid(s32 pid) __ksym __weak;
extern struct task_struct *bpf_task_from_vpid(s32 vpid) __ksym __weak;
extern void bpf_task_release(struct task_struct *task) __ksym __weak;

static __always_inline u8 holder__of_mutex(u64 futex, u32 operation, u32 expected, u32 *tid)
{
	struct mutex_words m;
	bool is_recursive;

	if (bpf_probe_read_user(&m, sizeof(m), (void *)futex))
		return XP_HOLDER_UNKNOWN;
	is_recursive = (m.kind & MUTEX_KIND_TYPE) == MUTEX_RECURSIVE;
	if (m.kind & ~MUTEX_KINDS || !m.owner || m.owner > FUTEX_TID_MASK || !m.users)
		return XP_HOLDER_UNKNOWN;
	*tid = m.owner;
	if (m.kind & MUTEX_ROBUST)
		return (m.lock & FUTEX_TID_MASK) == m.owner ? XP_HOLDER_ROBUST : XP_HOLDER_UNKNOWN;
	if (expected != MUTEX_CONTENDED || !m.lock || m.lock > MUTEX_CONTENDED || !m.count == is_recursive ||
	    !(m.kind & MUTEX_SHARED) != !!(operation & FUTEX_PRIVATE_FLAG))
		return XP_HOLDER_UNKNOWN;
	return XP_HOLDER_MUTEX;
}

static __always_inline u8 holder__of_rwlock(u64 second_futex, u32 operation, u32 *tid)
{
	struct rwlock_words l;

	if (bpf_probe_read_user(&l, sizeof(l), (void *)(second_futex + 4)))
		return XP_HOLDER_UNKNOWN;
	if (l.nothing[0] || l.nothing[1] || !l.writer || l.writer > FUTEX_TID_MASK || l.shared > 1 || l.flags > 2 ||
	    l.nothing_either[0] || l.nothing_either[1] || l.nothing_either[2] || l.nothing_either[3] ||
	    l.shared == !!(operation & FUTEX_PRIVATE_FLAG))
		return XP_HOLDER_UNKNOWN;
	*tid = l.writer;
	return XP_HOLDER_RWLOCK;
}

/* The measured function that it is in: the innermost one. */
static __always_inline u16 thread__function(struct thread *t)
{
	u32 depth = t->depth, i;
	struct frame *f;

	for (i = 1; i <= 4; i++) {
		if (i > depth)
			break;
		f = frame__at(t, depth - i);
		if (f->function != FRAME_HOLE && !function__is_off(f->function) &&
		    !(has_conditions && f->flags & (FRAME_DIFFERS | FRAME_UNDECIDED)))
			return f->function + 1;
	}
	return 0;
}

/* Whether there is such a thread, and what is known of it. */
static __always_inline void holder__look(struct holder *holder, struct task_struct *waiting, bool is_private)
{
	bool has_numbers_of_its_own = BPF_CORE_READ(waiting, thread_pid, level);
	struct task_struct *task;
	struct thread *t;

	if (!bpf_ksym_exists(bpf_task_from_pid) || !bpf_ksym_exists(bpf_task_release))
		return;
	if (!has_numbers_of_its_own)
		task = bpf_task_from_pid(holder->tid);
	else if (bpf_ksym_exists(bpf_task_from_vpid))
		task = bpf_task_from_vpid(holder->tid);
	else
		return;
	if (!task) {
		holder->kind = XP_HOLDER_UNKNOWN;
		return;
	}
	holder->tid = task->pid;
	holder->pid = task->tgid;
	/* Only what is shared with them can be held by others. */
	if (is_private && holder->pid != waiting->tgid)
		holder->kind = XP_HOLDER_UNKNOWN;
	bpf_probe_read_kernel(holder->name, sizeof(holder->name), &task->comm);
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (t)
		holder->function = thread__function(t);
	bpf_task_release(task);
}

static __always_inline void holder__find(struct holder *holder, struct task_struct *task, const struct pt_regs *regs)
{
	u64 futex = REGS_ARGUMENT(regs);
	u32 operation = REGS_ARGUMENT_2(regs), command = operation & FUTEX_CMD_MASK, word;

	__builtin_memset(holder, 0, sizeof(*holder));
	if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2) {
		if (bpf_probe_read_user(&word, sizeof(word), (void *)futex) || !(word & FUTEX_TID_MASK))
			return;
		holder->tid = word & FUTEX_TID_MASK;
		holder->kind = XP_HOLDER_PI;
	} else if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) {
		holder->kind = holder__of_mutex(futex, operation, REGS_ARGUMENT_3(regs), &holder->tid);
		if (!holder->kind)
			holder->kind = holder__of_rwlock(futex, operation, &holder->tid);
		if (!holder->kind)
			holder->kind = holder__of_rwlock(futex + 4, operation, &holder->tid);
	}
	if (holder->kind)
		holder__look(holder, task, operation & FUTEX_PRIVATE_FLAG);
}

#endif
