// SPDX-License-Identifier: GPL-2.0
#include "arch/x86_64/stack_insn.h"

/* 0 = rax … 15 = r15 for a register of any width; 16 for other registers. */
static uint8_t whole_register(ZydisRegister reg)
{
	return insn__register(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

static bool writes(const ZydisDecodedOperand *operand, uint8_t reg)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
	       whole_register(operand->reg.value) == reg;
}

/* Whether one of its operands can be rsp.  If not, as usual, it need not be examined further. */
static bool names_rsp(const ZydisDecodedInstruction *insn)
{
	uint8_t opcode = insn->opcode;

	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return true;
	if (insn->attributes & ZYDIS_ATTRIB_HAS_MODRM)
		return (insn->raw.modrm.reg == 4 && !insn->raw.rex.R) ||
		       (insn->raw.modrm.mod == 3 && insn->raw.modrm.rm == 4 && !insn->raw.rex.B);
	if ((opcode & 7) != 4 || insn->raw.rex.B)
		return false;
	if (insn->opcode_map == ZYDIS_OPCODE_MAP_0F)
		return opcode >= 0xc8 && opcode <= 0xcf;
	return insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
	       ((opcode >= 0x40 && opcode <= 0x5f) || (opcode >= 0x90 && opcode <= 0x97) ||
		(opcode >= 0xb0 && opcode <= 0xbf));
}

static struct stack_effect doubt(const char *why)
{
	return (struct stack_effect){ .kind = STACK_DOUBT, .doubt = why };
}

static struct stack_effect from_register(ZydisRegister from, int64_t displacement)
{
	uint8_t reg = insn__register(from);

	if (reg == REG_RSP)
		return (struct stack_effect){ STACK_FRAME };
	if (reg > 15 || from < ZYDIS_REGISTER_RAX || from > ZYDIS_REGISTER_R15)
		return doubt("computes a stack pointer");
	return (struct stack_effect){ STACK_FROM_REGISTER, reg, displacement, NULL };
}

/* The effect of an instruction that writes its operand rsp. */
static struct stack_effect effect_of_write(const ZydisDecodedInstruction *insn,
					   const ZydisDecodedOperand *operands)
{
	const ZydisDecodedOperand *source = &operands[1];

	if (operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    operands[0].reg.value != ZYDIS_REGISTER_RSP)
		return doubt("sets the stack pointer in an unknown way");
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_ADD: case ZYDIS_MNEMONIC_AND:
		if (source->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return (struct stack_effect){ STACK_FRAME };
		return doubt("computes a stack pointer");
	case ZYDIS_MNEMONIC_SUB:
		/* From a register for alloca() and arrays of variable length. */
		if (source->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ||
		    source->type == ZYDIS_OPERAND_TYPE_REGISTER)
			return (struct stack_effect){ STACK_FRAME };
		return doubt("computes a stack pointer");
	case ZYDIS_MNEMONIC_LEA:
		if (source->mem.index != ZYDIS_REGISTER_NONE)
			return doubt("computes a stack pointer");
		return from_register(source->mem.base, source->mem.disp.value);
	case ZYDIS_MNEMONIC_MOV:
		if (source->type == ZYDIS_OPERAND_TYPE_REGISTER)
			return from_register(source->reg.value, 0);
		if (source->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    source->mem.base == ZYDIS_REGISTER_RBP &&
		    source->mem.index == ZYDIS_REGISTER_NONE &&
		    source->mem.segment == ZYDIS_REGISTER_SS)
			return (struct stack_effect){ STACK_FROM_SLOT, REG_RBP,
						      source->mem.disp.value, NULL };
		return doubt("takes another stack pointer from memory");
	default:
		return doubt("sets the stack pointer in an unknown way");
	}
}

/* At fs:0x30 the C library keeps the value by which it encrypts saved stack pointers. */
static bool reads_pointer_guard(const ZydisDecodedInstruction *insn,
				const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < insn->operand_count; i++)
		if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operands[i].mem.segment == ZYDIS_REGISTER_FS &&
		    operands[i].mem.base == ZYDIS_REGISTER_NONE &&
		    operands[i].mem.index == ZYDIS_REGISTER_NONE &&
		    operands[i].mem.disp.value == 0x30)
			return true;
	return false;
}

struct stack_effect insn__stack_effect(const uint8_t *bytes, size_t left,
				       const ZydisDecodedInstruction *insn)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction again;
	bool has_segment = insn->attributes & ZYDIS_ATTRIB_HAS_SEGMENT_FS;

	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_LEAVE:
		return (struct stack_effect){ STACK_LEAVE, REG_RBP, 0, NULL };
	case ZYDIS_MNEMONIC_SYSCALL: case ZYDIS_MNEMONIC_SYSENTER: case ZYDIS_MNEMONIC_INT:
		return doubt("calls the kernel by itself");
	case ZYDIS_MNEMONIC_IRET: case ZYDIS_MNEMONIC_IRETD: case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET: case ZYDIS_MNEMONIC_SYSEXIT: case ZYDIS_MNEMONIC_UIRET:
		return doubt("goes elsewhere with another stack");
	case ZYDIS_MNEMONIC_RET:
		if (insn->opcode != 0xc3 && insn->opcode != 0xc2)
			return doubt("goes elsewhere with another stack");
		break;
	default:
		break;
	}
	if (insn->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
		return doubt("goes elsewhere with another stack");
	if (!names_rsp(insn) && !has_segment)
		return (struct stack_effect){ STACK_FRAME };
	if (!insn__decode_full(bytes, left, &again, operands))
		return doubt("can't be decoded");
	if (has_segment && reads_pointer_guard(&again, operands))
		return doubt("reads what the C library hides saved stack pointers with");
	for (int i = 0; i < again.operand_count; i++)
		if (writes(&operands[i], REG_RSP) &&
		    operands[i].visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
			return effect_of_write(&again, operands);
	return (struct stack_effect){ STACK_FRAME };
}

struct value insn__value(const uint8_t *bytes, size_t left, uint8_t reg)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	const ZydisDecodedOperand *to = &operands[0], *from = &operands[1];
	struct value value = { .kind = VALUE_KEPT, .reg = 16 };
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, operands))
		return (struct value){ .kind = VALUE_OTHER };
	for (int i = 0; i < insn.operand_count && value.kind == VALUE_KEPT; i++)
		if (writes(&operands[i], reg))
			value.kind = VALUE_OTHER;
	if (value.kind == VALUE_KEPT || insn.operand_count < 2 || !writes(to, reg) ||
	    insn__register(to->reg.value) > 15)
		return value;
	switch (insn.mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			value.kind = VALUE_CONSTANT;
			value.constant = from->imm.value.u;
		} else if (from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
			value.reg = insn__register(from->reg.value);
		}
		break;
	case ZYDIS_MNEMONIC_XOR:
		if (from->type == ZYDIS_OPERAND_TYPE_REGISTER && from->reg.value == to->reg.value)
			value.kind = VALUE_CONSTANT;
		return value;
	case ZYDIS_MNEMONIC_LEA:
		value.reg = insn__register(from->mem.base);
		break;
	case ZYDIS_MNEMONIC_AND:
		/* It rounds down. */
		if (from->type != ZYDIS_OPERAND_TYPE_IMMEDIATE || from->imm.value.s >= 0)
			return value;
		value.reg = reg;
		break;
	case ZYDIS_MNEMONIC_SUB: case ZYDIS_MNEMONIC_ADD:
		value.reg = reg;
		break;
	default:
		return value;
	}
	if (value.kind == VALUE_OTHER && value.reg < 16)
		value.kind = VALUE_OF_REGISTER;
	return value;
}

uint64_t insn__relative_address(const ZydisDecodedInstruction *insn, uint64_t address)
{
	if (!(insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) || insn->raw.modrm.mod != 0 ||
	    insn->raw.modrm.rm != 5)
		return 0;
	return address + insn->length + insn->raw.disp.value;
}
