/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions in the form of the decoder library. */
#ifndef KVIEW_X86_INSN_H
#define KVIEW_X86_INSN_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

/* Also fills operands (ZYDIS_MAX_OPERAND_COUNT of them) if that is not NULL. */
bool insn__decode_full(const uint8_t *bytes, size_t left, ZydisDecodedInstruction *insn,
		       ZydisDecodedOperand *operands);

/* 0 = rax … 15 = r15 for a 64-bit register or its lower half; 16 for others. */
uint8_t insn__register(ZydisRegister reg);

#endif
