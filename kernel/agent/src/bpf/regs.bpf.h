/* SPDX-License-Identifier: GPL-2.0 */
/* Where the architectures differ in the registers with which a thread entered the kernel. */
#ifndef KVIEW_REGS_BPF_H
#define KVIEW_REGS_BPF_H

#if defined(__TARGET_ARCH_x86)

#define REGS_SYSCALL(regs)	((long)(regs)->orig_rax)	/* negative: in none */
#define REGS_ARGUMENT(regs)	((regs)->rdi)
#define REGS_ARGUMENT_4(regs)	((regs)->r10)
#define REGS_USER_IP(regs)	((regs)->rip)

#elif defined(__TARGET_ARCH_arm64)

#define REGS_SYSCALL(regs)	((long)(regs)->syscallno)	/* negative: in none */
#define REGS_ARGUMENT(regs)	((regs)->orig_x0)
#define REGS_ARGUMENT_4(regs)	((regs)->regs[3])
#define REGS_USER_IP(regs)	((regs)->pc)

#else
#error "no such architecture"
#endif

#endif
