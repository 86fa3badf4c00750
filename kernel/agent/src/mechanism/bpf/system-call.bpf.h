/* SPDX-License-Identifier: GPL-2.0 */
/* Which system call it is, at the kernel's two tracepoints of these. */
#ifndef KVIEW_SYSTEM_CALL_BPF_H
#define KVIEW_SYSTEM_CALL_BPF_H

#ifdef __TARGET_ARCH_x86
/* The field's name within the kernel; for user programs it has another one. */
struct pt_regs___kernel {
	unsigned long orig_ax;
} __attribute__((preserve_access_index));
#define regs__number(regs)	BPF_CORE_READ((struct pt_regs___kernel *)(regs), orig_ax)
#define SYSTEM_CALL_ARGUMENTS(regs)	{ (regs)->rdi, (regs)->rsi, (regs)->rdx, (regs)->r10, (regs)->r8, (regs)->r9 }
#else
#define regs__number(regs)	BPF_CORE_READ((struct pt_regs *)(regs), syscallno)
#define SYSTEM_CALL_ARGUMENTS(regs)	{ (regs)->orig_x0, (regs)->regs[1], (regs)->regs[2], (regs)->regs[3], \
					  (regs)->regs[4], (regs)->regs[5] }
#endif

/* Of the x86 kernel: the call came by the entry for programs of 32 bits. */
#define TS_COMPAT	2

static __always_inline bool is_of_32_bits(struct task_struct *task)
{
	return bpf_core_field_exists(task->thread_info.status) &&
	       BPF_CORE_READ(task, thread_info.status) & TS_COMPAT;
}

#endif
