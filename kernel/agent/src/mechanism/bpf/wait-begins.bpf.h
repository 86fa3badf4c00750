/* SPDX-License-Identifier: GPL-2.0 */
/* What is to be read as a thread leaves its CPU: later it may be another's, or other things may lie there. */
#ifndef KVIEW_WAIT_BEGINS_BPF_H
#define KVIEW_WAIT_BEGINS_BPF_H

#include "wait-files.bpf.h"
#include "wait-holders.bpf.h"
#include "wait-user-stacks.bpf.h"

static __always_inline void thread__begins_wait(struct thread *t, struct task_struct *task, u8 cause, long syscall)
{
	const struct pt_regs *regs;

	if (!with_waits)
		return;
	t->wait_syscall = 0;
	t->wait_file = XP_FILE_NONE;
	t->wait_user_stack = XP_STACK_UNKNOWN;
	t->holder.kind = XP_HOLDER_UNKNOWN;
	if (!t->depth || cause == XP_PREEMPTED || cause == XP_THROTTLED || task__is_in_compat_call(task))
		return;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	t->wait_user_stack = user_stack__of(t, regs);
	if (syscall < 0 || syscall >= XP_SYSCALLS)
		return;
	t->wait_syscall = syscall + 1;
	if (waits_by_descriptor(cause, syscall, regs))
		t->wait_file = wait_file__of(task, REGS_ARGUMENT(regs), cause);
	else if (cause == XP_LOCK && syscall == NR_FUTEX)
		holder__find(&t->holder, task, regs);
}

#endif
