/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between kernel versions. */
#ifndef KVIEW_MODULE_COMPAT_H
#define KVIEW_MODULE_COMPAT_H

#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rcupdate_trace.h>
#include <linux/tracepoint.h>
#include <linux/version.h>
#include <asm/current.h>
#include <asm/preempt.h>

#include "symbols.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
#define system_dfl_wq		system_unbound_wq	/* its name until then */
#endif

/*
 * Code that runs a tracepoint's probes is an RCU reader.  Since 7.0 it is one of an SRCU of
 * its own, which may sleep in between, or with system calls' tracepoints one of RCU tasks
 * trace, which is an SRCU by then.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)

struct kview_probes_state {
	unsigned long rcu;
};

/* What has to pass until whoever runs a probe now is through.  Any context. */
static inline struct kview_probes_state kview_probes_state(void)
{
	return (struct kview_probes_state){ .rcu = get_state_synchronize_rcu() };
}

/* Until that has passed; at once if it has.  Sleeps. */
static inline void kview_probes_wait(struct kview_probes_state state)
{
	cond_synchronize_rcu(state.rcu);
}

#else

struct kview_probes_state {
	unsigned long most, syscalls;
};

static inline struct kview_probes_state kview_probes_state(void)
{
	return (struct kview_probes_state){
		.most = get_state_synchronize_srcu(&tracepoint_srcu),
		.syscalls = get_state_synchronize_srcu(&rcu_tasks_trace_srcu_struct),
	};
}

static inline void kview_probes_wait(struct kview_probes_state state)
{
	if (!poll_state_synchronize_srcu(&tracepoint_srcu, state.most))
		synchronize_srcu(&tracepoint_srcu);
	if (!poll_state_synchronize_srcu(&rcu_tasks_trace_srcu_struct, state.syscalls))
		synchronize_rcu_tasks_trace();
}

#endif

/* Per-CPU variables that assembly reads. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define KVIEW_PREEMPT_COUNT	pcpu_hot.preempt_count
#define KVIEW_CURRENT		pcpu_hot.current_task
#else
#define KVIEW_PREEMPT_COUNT	__preempt_count
#define KVIEW_CURRENT		current_task
#endif

#ifndef __my_cpu_var		/* before the compiler knew about per-CPU memory */
#define __my_cpu_var(var)	(var)
#endif

/*
 * May its user dump the memory of whoever asks, current->mm?  Not that of a program with
 * rights of its own.  Since 7.2 it is the task that says so.
 */
static inline bool kview_dumpable(struct mm_struct *mm)
{
#ifndef SUID_DUMP_USER
	return mm == current->mm && kview_sym.task_dumpable(current) == TASK_DUMPABLE_OWNER;
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	return (READ_ONCE(mm->flags) & MMF_DUMPABLE_MASK) == SUID_DUMP_USER;
#else
	return (__mm_flags_get_dumpable(mm) & MMF_DUMPABLE_MASK) == SUID_DUMP_USER;
#endif
}

/* Sets or clears one of mm->flags, a word, later a bitmap.  Atomic; any context. */
static inline void kview_mm_assign_flag(struct mm_struct *mm, int flag, bool on)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 18, 0)
	assign_bit(flag, &mm->flags, on);
#else
	if (on)
		mm_flags_set(flag, mm);
	else
		mm_flags_clear(flag, mm);
#endif
}

#endif
