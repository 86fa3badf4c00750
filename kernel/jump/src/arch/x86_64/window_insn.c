// SPDX-License-Identifier: GPL-2.0
/* What may stand in a window, see decide/plan.h. */
#include "arch/x86_64/x86_insn.h"
#include "decide/plan.h"

static bool has_prefix(const ZydisDecodedInstruction *insn, uint8_t value)
{
	for (int i = 0; i < insn->raw.prefix_count; i++)
		if (insn->raw.prefixes[i].value == value)
			return true;
	return false;
}

/* Processors differ in what a branch with such a prefix does. */
static bool is_short_branch(const ZydisDecodedInstruction *insn)
{
	return has_prefix(insn, 0x66) || has_prefix(insn, 0x67);
}

/*
 * What traps because of what it is, or as the process asked for it, or sets what others trap by: who handles that may know it by its address.
 * What uses memory, divides or computes with floating point is another matter: insn__may_fault.
 */
static bool may_trap(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    ZydisRegisterGetClass(operands[i].reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return true;
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_SYSTEM: case ZYDIS_CATEGORY_IO: case ZYDIS_CATEGORY_IOSTRINGOP: case ZYDIS_CATEGORY_SEGOP:
	case ZYDIS_CATEGORY_RDWRFSGS: case ZYDIS_CATEGORY_PKU: case ZYDIS_CATEGORY_XSAVE: case ZYDIS_CATEGORY_WAITPKG:
	case ZYDIS_CATEGORY_SMAP: case ZYDIS_CATEGORY_SGX: case ZYDIS_CATEGORY_VTX:
		return true;
	default:
		break;
	}
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_UD0: case ZYDIS_MNEMONIC_UD1: case ZYDIS_MNEMONIC_UD2: case ZYDIS_MNEMONIC_CLI: case ZYDIS_MNEMONIC_STI:
	case ZYDIS_MNEMONIC_POPF: case ZYDIS_MNEMONIC_POPFQ: case ZYDIS_MNEMONIC_CPUID: case ZYDIS_MNEMONIC_LDMXCSR: case ZYDIS_MNEMONIC_VLDMXCSR:
	case ZYDIS_MNEMONIC_FLDCW: case ZYDIS_MNEMONIC_FLDENV: case ZYDIS_MNEMONIC_FRSTOR: case ZYDIS_MNEMONIC_FXRSTOR: case ZYDIS_MNEMONIC_FXRSTOR64:
	case ZYDIS_MNEMONIC_FNSTENV: case ZYDIS_MNEMONIC_FNSAVE: case ZYDIS_MNEMONIC_FNINIT:
	case ZYDIS_MNEMONIC_MONITOR: case ZYDIS_MNEMONIC_MWAIT: case ZYDIS_MNEMONIC_MONITORX: case ZYDIS_MNEMONIC_MWAITX:
		return true;
	default:
		return false;
	}
}

bool insn__can_move(const struct code_insn *at, const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, operands))
		return false;
	for (int i = 0; i < insn.operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operands[i].mem.base == ZYDIS_REGISTER_EIP)
			return false;
	switch (at->kind) {
	case CODE_RET: case CODE_JUMP: case CODE_JUMP_COND: case CODE_JUMP_REG: case CODE_JUMP_MEM:
		return !is_short_branch(&insn) && insn.meta.branch_type != ZYDIS_BRANCH_TYPE_FAR;
	case CODE_PADDING:
		return insn.mnemonic == ZYDIS_MNEMONIC_NOP;
	case CODE_PLAIN:
		break;
	default:
		return false;
	}
	if (may_trap(&insn, operands))
		return false;
	/* The kernel goes back by two bytes when it begins a system call again. */
	switch (insn.meta.category) {
	case ZYDIS_CATEGORY_SYSCALL: case ZYDIS_CATEGORY_INTERRUPT: case ZYDIS_CATEGORY_SYSRET:
	case ZYDIS_CATEGORY_RET: case ZYDIS_CATEGORY_CALL:
		return false;
	default:
		return insn.mnemonic != ZYDIS_MNEMONIC_XEND && insn.mnemonic != ZYDIS_MNEMONIC_XABORT;
	}
}

/* By the stack pointer alone: any other register may be an ordinary pointer, rbp too. */
static bool is_beside_stack(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
	       (operand->mem.base != ZYDIS_REGISTER_RSP || operand->mem.index != ZYDIS_REGISTER_NONE);
}

static bool is_of_vectors(const ZydisDecodedOperand *operand)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return false;
	switch (ZydisRegisterGetClass(operand->reg.value)) {
	case ZYDIS_REGCLASS_XMM: case ZYDIS_REGCLASS_YMM: case ZYDIS_REGCLASS_ZMM:
		return true;
	default:
		return false;
	}
}

/*
 * Numbers of vectors that are only moved, or combined bit by bit, raise nothing.  x87's and MMX's instructions also raise what an earlier one
 * left.
 */
static bool may_raise(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	switch (insn->meta.isa_ext) {
	case ZYDIS_ISA_EXT_X87: case ZYDIS_ISA_EXT_MMX: case ZYDIS_ISA_EXT_AMD3DNOW:
		return true;
	default:
		break;
	}
	for (int i = 0; i < insn->operand_count; i++)
		if (ZydisRegisterGetClass(operands[i].reg.value) == ZYDIS_REGCLASS_MMX &&
		    operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER)
			return true;
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_DATAXFER: case ZYDIS_CATEGORY_LOGICAL: case ZYDIS_CATEGORY_LOGICAL_FP:
		return false;
	default:
		break;
	}
	for (int i = 0; i < insn->operand_count; i++)
		if (is_of_vectors(&operands[i]))
			return true;
	return false;
}

bool insn__may_fault(const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, operands))
		return true;
	if (insn.meta.category == ZYDIS_CATEGORY_NOP || insn.meta.category == ZYDIS_CATEGORY_WIDENOP)
		return false;
	if (insn.attributes & ZYDIS_ATTRIB_IS_PRIVILEGED || may_raise(&insn, operands))
		return true;
	for (int i = 0; i < insn.operand_count; i++)
		if (is_beside_stack(&operands[i]))
			return true;
	return insn.mnemonic == ZYDIS_MNEMONIC_DIV || insn.mnemonic == ZYDIS_MNEMONIC_IDIV;
}

unsigned int insn__filler(const uint8_t *bytes, size_t left)
{
	ZydisDecodedInstruction insn;

	if (left && *bytes == 0xcc)
		return 1;
	if (left > 1 && bytes[0] == 0x66 && bytes[1] == 0x90)
		return 2;
	return insn__decode_full(bytes, left, &insn, NULL) && insn.mnemonic == ZYDIS_MNEMONIC_NOP ?
	       insn.length : 0;
}

static bool writes_stack_pointer(const ZydisDecodedInstruction *insn, const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, operands[i].reg.value) == ZYDIS_REGISTER_RSP)
			return true;
	return false;
}

bool insn__stays(const struct code_insn *at, const uint8_t *bytes, size_t left, uint32_t *pushed)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	int64_t grown;

	*pushed = 0;
	if ((at->kind != CODE_PLAIN && at->kind != CODE_PADDING) || !insn__decode_full(bytes, left, &insn, operands))
		return false;
	if (!writes_stack_pointer(&insn, operands))
		return true;
	switch (insn.mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
		grown = insn.operand_width / 8;
		break;
	case ZYDIS_MNEMONIC_SUB: case ZYDIS_MNEMONIC_ADD:
		if (operands[0].size != 64 || operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return false;
		grown = insn.mnemonic == ZYDIS_MNEMONIC_SUB ? operands[1].imm.value.s : -operands[1].imm.value.s;
		break;
	default:
		return false;
	}
	if (grown < 0 || grown > INT32_MAX / 2)
		return false;
	*pushed = grown;
	return true;
}

bool insn__is_one_byte(const uint8_t *bytes)
{
	return bytes[0] == 0xc3 || bytes[0] == 0xe9;
}

/* What the instruction only computes an address of, or fetches in advance, it does not use. */
static bool is_used(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type == ZYDIS_MEMOP_TYPE_MEM;
}

bool insn__uses_memory(const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, operands))
		return true;
	if (insn.mnemonic == ZYDIS_MNEMONIC_NOP)
		return false;
	for (int i = 0; i < insn.operand_count; i++)
		if (is_used(&operands[i]) &&
		    (insn.mnemonic != ZYDIS_MNEMONIC_PUSH || operands[i].visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT))
			return true;
	return false;
}

unsigned int insn__length(const uint8_t *bytes, size_t left)
{
	ZydisDecodedInstruction insn;

	return insn__decode_full(bytes, left, &insn, NULL) ? insn.length : 0;
}
