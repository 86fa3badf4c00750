/* SPDX-License-Identifier: GPL-2.0 */
/* Where the architectures differ in the registers with which a thread entered the kernel. */
#ifndef KVIEW_REGS_BPF_H
#define KVIEW_REGS_BPF_H

#if defined(__TARGET_ARCH_x86)

#define REGS_SYSCALL(regs)	((long)(regs)->orig_rax)	/* negative: in none */
#define REGS_ARGUMENT(regs)	((regs)->rdi)
#define REGS_ARGUMENT_2(regs)	((regs)->rsi)
#define REGS_ARGUMENT_3(regs)	((regs)->rdx)
#define REGS_ARGUMENT_4(regs)	((regs)->r10)
#define REGS_USER_IP(regs)	((regs)->rip)
#define REGS_USER_SP(regs)	((regs)->rsp)

/* By DWARF's numbers; behind those comes rip. */
static __always_inline void registers__take(u64 *to, const struct pt_regs *regs)
{
	to[0] = regs->rax;
	to[1] = regs->rdx;
	to[2] = regs->rcx;
	to[3] = regs->rbx;
	to[4] = regs->rsi;
	to[5] = regs->rdi;
	to[6] = regs->rbp;
	to[7] = regs->rsp;
	to[8] = regs->r8;
	to[9] = regs->r9;
	to[10] = regs->r10;
	to[11] = regs->r11;
	to[12] = regs->r12;
	to[13] = regs->r13;
	to[14] = regs->r14;
	to[15] = regs->r15;
	to[16] = regs->rip;
}

#elif defined(__TARGET_ARCH_arm64)

#define REGS_SYSCALL(regs)	((long)(regs)->syscallno)	/* negative: in none */
#define REGS_ARGUMENT(regs)	((regs)->orig_x0)
#define REGS_ARGUMENT_2(regs)	((regs)->regs[1])
#define REGS_ARGUMENT_3(regs)	((regs)->regs[2])
#define REGS_ARGUMENT_4(regs)	((regs)->regs[3])
#define REGS_USER_IP(regs)	((regs)->pc)
#define REGS_USER_SP(regs)	((regs)->sp)

/* The agent unwinds no stacks there. */
static __always_inline void registers__take(u64 *to, const struct pt_regs *regs)
{
}

#else
#error "no such architecture"
#endif

#endif
