/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_ARCH_H
#define KVIEW_ARCH_H

#include <elf.h>

#define ARCH_ELF_MACHINE	EM_X86_64
#define ARCH_NAME		"x86-64"
#define ARCH_RELATIVE		R_X86_64_RELATIVE
#define ARCH_JUMP_SLOT		R_X86_64_JUMP_SLOT
#define ARCH_GLOB_DAT		R_X86_64_GLOB_DAT
#define ARCH_ADDRESS		R_X86_64_64
#define ARCH_IRELATIVE		R_X86_64_IRELATIVE

/* Where a function's frame is addressed from as it begins, as DWARF numbers registers. */
#define ARCH_ENTRY_CFA_REGISTER	7
#define ARCH_ENTRY_CFA_OFFSET	8

/* What a call leaves as it was, a bit each: rbx, rbp, r12 to r15, and a place in the frame. */
#define FLOW_KEPT_BY_CALLS	0x1f038

/* int3, at the place itself; the program counter is behind it when it was met. */
#define ARCH_BREAKPOINT		0xccUL
#define ARCH_BREAKPOINT_MASK	0xffUL
#define ARCH_BREAKPOINT_PASSED	1
/* Those of probes and of debuggers are the same; instructions begin anywhere. */
#define ARCH_BREAKPOINT_BYTES	1
#define ARCH_ANY_BREAKPOINT	ARCH_BREAKPOINT
#define ARCH_ANY_BREAKPOINT_MASK	ARCH_BREAKPOINT_MASK
#define ARCH_PC(regs)		((regs).rip)

#endif
