/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KVIEW_ARCH_H
#define KVIEW_ARCH_H

#include <elf.h>

#define ARCH_ELF_MACHINE	EM_AARCH64
#define ARCH_NAME		"arm64"
#define ARCH_RELATIVE		R_AARCH64_RELATIVE
#define ARCH_JUMP_SLOT		R_AARCH64_JUMP_SLOT
#define ARCH_GLOB_DAT		R_AARCH64_GLOB_DAT
#define ARCH_ADDRESS		R_AARCH64_ABS64
#define ARCH_IRELATIVE		R_AARCH64_IRELATIVE

/* The register by which the frame is addressed at a function's beginning, by DWARF's numbers. */
#define ARCH_ENTRY_CFA_REGISTER	31
#define ARCH_ENTRY_CFA_OFFSET	0

/* The registers that a call preserves, a bit each: none is followed here. */
#define FLOW_KEPT_BY_CALLS	0

/* brk #0.  When it is hit, the program counter stays at it. */
#define ARCH_BREAKPOINT		0xd4200000UL
#define ARCH_BREAKPOINT_MASK	0xffffffffUL
#define ARCH_BREAKPOINT_PASSED	0
/* All four bytes: probes and debuggers use brk with different numbers. */
#define ARCH_BREAKPOINT_BYTES	4
#define ARCH_ANY_BREAKPOINT	0xd4200000UL
#define ARCH_ANY_BREAKPOINT_MASK	0xffe0001fUL
/* The instruction that does nothing, as assemblers put it at static probes. */
#define ARCH_NOP_BYTES		4
#define ARCH_NOPS		{ { 0x1f, 0x20, 0x03, 0xd5 } }
#define ARCH_NOP_LENGTHS	{ 4 }
#define ARCH_PC(regs)		((regs).pc)

#endif
