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

/* The register by which the frame is addressed at a function's beginning, by DWARF's numbers. */
#define ARCH_ENTRY_CFA_REGISTER	7
#define ARCH_ENTRY_CFA_OFFSET	8

/* What a call preserves, a bit each: rbx, rbp, r12 to r15, and a place in the frame. */
#define FLOW_KEPT_BY_CALLS	0x1f038

/* int3.  When it is hit, the program counter is after it. */
#define ARCH_BREAKPOINT		0xccUL
#define ARCH_BREAKPOINT_MASK	0xffUL
#define ARCH_BREAKPOINT_PASSED	1
/* Probes and debuggers use the same; instructions can begin at any byte. */
#define ARCH_BREAKPOINT_BYTES	1
#define ARCH_ANY_BREAKPOINT	ARCH_BREAKPOINT
#define ARCH_ANY_BREAKPOINT_MASK	ARCH_BREAKPOINT_MASK
/* Instructions that do nothing, as assemblers put them at static probes: the second one can become a call. */
#define ARCH_NOP_BYTES		5
#define ARCH_NOPS		{ { 0x90 }, { 0x0f, 0x1f, 0x44, 0, 0 } }
#define ARCH_NOP_LENGTHS	{ 1, 5 }
#define ARCH_PC(regs)		((regs).rip)

#endif
