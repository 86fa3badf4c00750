/* SPDX-License-Identifier: GPL-2.0 */
/* What an x86-64 instruction does to the stack pointer. */
#ifndef KVIEW_STACK_INSN_H
#define KVIEW_STACK_INSN_H

#include "arch/x86_64/x86_insn.h"

enum stack_effect_kind {
	STACK_FRAME,		/* no effect, or it makes or leaves a frame by itself */
	STACK_FROM_REGISTER,	/* sets it to reg plus displacement */
	STACK_LEAVE,		/* sets it to rbp, and pops rbp */
	STACK_FROM_SLOT,	/* reads it from its own frame: displacement(%rbp) */
	STACK_DOUBT,		/* anything else, see doubt */
};

struct stack_effect {
	enum stack_effect_kind kind;
	uint8_t reg;
	int64_t displacement;
	const char *doubt;
};

struct stack_effect insn__stack_effect(const uint8_t *bytes, size_t left,
				       const ZydisDecodedInstruction *insn);

/* Where a register's value comes from. */
enum value_kind { VALUE_KEPT, VALUE_CONSTANT, VALUE_OF_REGISTER, VALUE_OTHER };
struct value {
	enum value_kind kind;
	uint8_t reg;		/* VALUE_OF_REGISTER: from this one, plus, minus, or rounded */
	uint64_t constant;
};
/* The value of a register (0 = rax … 15 = r15) after an instruction. */
struct value insn__value(const uint8_t *bytes, size_t left, uint8_t reg);

/* The address of its memory operand, if that is relative to the instruction; otherwise 0. */
uint64_t insn__relative_address(const ZydisDecodedInstruction *insn, uint64_t address);

#define REG_RSP 4
#define REG_RBP 5

#endif
