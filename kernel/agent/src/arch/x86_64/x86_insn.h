/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions as the decoder has them. */
#ifndef KVIEW_X86_INSN_H
#define KVIEW_X86_INSN_H

#include <Zydis/Zydis.h>
#include <stdbool.h>

/* With operands (ZYDIS_MAX_OPERAND_COUNT) where not NULL. */
bool insn__decode_full(const uint8_t *bytes, size_t left, ZydisDecodedInstruction *insn,
		       ZydisDecodedOperand *operands);

/* 0 = rax … 15 = r15 of a 64-bit register or its lower half; 16 for others. */
uint8_t insn__register(ZydisRegister reg);

#endif
