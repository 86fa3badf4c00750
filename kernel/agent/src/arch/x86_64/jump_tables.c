// SPDX-License-Identifier: GPL-2.0
/*
 * Indirect jumps of switches and of interpreters stay within the function; those through
 * pointers leave it.  Compilers write them alike, so that the table itself has to tell:
 *
 *	lea    table(%rip), %base	(or, not position independent, an absolute address)
 *	movslq (%base,%index,4), %r	table of int32 offsets from its own start
 *	add    %base, %r
 *	jmp    *%r
 *
 *	mov    (%base,%index,8), %r	table of addresses
 *	jmp    *%r			or jmp *(%base,%index,8)
 *
 * A table is the function's own if its first entry is an instruction of the function: tables
 * of functions do not point there.
 */
#include "../insn.h"
#include "x86_insn.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_BACK 12		/* instructions from the jump to the load of its target */

static bool decode(const struct code *code, uint64_t address, ZydisDecodedInstruction *insn,
		   ZydisDecodedOperand *operands)
{
	size_t left;
	const uint8_t *bytes = code__bytes(code, address, &left);

	return bytes && insn__decode_full(bytes, left, insn, operands);
}

static enum code_table whose_table(const struct code *code, uint64_t table,
				    unsigned int entry_bytes)
{
	uint64_t target;
	int32_t offset;

	if (entry_bytes == 4) {
		if (!elf_file__read_at(code->file, table, &offset, sizeof(offset)))
			return CODE_TABLE_UNKNOWN;
		target = table + offset;
	} else {
		if (!elf_file__read_at(code->file, table, &target, sizeof(target)))
			return CODE_TABLE_UNKNOWN;
		if (!target && !elf_file__relocated(code->file, table, &target))
			return CODE_TABLE_OF_OTHERS;
	}
	return code__insn_at(code, target) ? CODE_TABLE_OWN : CODE_TABLE_OF_OTHERS;
}

/* The address that the nearest lea or mov before index puts into a register. */
static bool find_base(const struct code *code, size_t index, uint8_t base, uint64_t *address)
{
	while (index-- > 0) {
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		const struct code_insn *at = &code->insns[index];
		ZydisDecodedInstruction insn;

		if (at->kind != CODE_PLAIN || !decode(code, at->address, &insn, operands) ||
		    insn.operand_count < 2 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    insn__register(operands[0].reg.value) != base)
			continue;
		if (insn.mnemonic == ZYDIS_MNEMONIC_LEA &&
		    operands[1].mem.base == ZYDIS_REGISTER_RIP) {
			*address = at->address + insn.length + operands[1].mem.disp.value;
			return true;
		}
		if (insn.mnemonic == ZYDIS_MNEMONIC_MOV &&
		    operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			*address = operands[1].imm.value.u;
			return true;
		}
	}
	return false;
}

/* The table of an access like (%base,%index,scale) or table(,%index,scale). */
static enum code_table whose_access(const struct code *code, size_t index,
				     const ZydisDecodedOperand *memory, unsigned int entry_bytes)
{
	uint8_t base = insn__register(memory->mem.base);
	uint64_t table = 0;

	if (memory->mem.index == ZYDIS_REGISTER_NONE)
		return CODE_TABLE_OF_OTHERS;	/* a pointer, not a table */
	if (memory->mem.scale != entry_bytes)
		return CODE_TABLE_UNKNOWN;
	if (memory->mem.base != ZYDIS_REGISTER_NONE &&
	    (base > 15 || !find_base(code, index, base, &table)))
		return CODE_TABLE_UNKNOWN;
	return whose_table(code, table + memory->mem.disp.value, entry_bytes);
}

/* Follows the register of jmp *%r back to the load from a table. */
static enum code_table whose_register(const struct code *code, size_t index, uint8_t reg)
{
	uint8_t other = 16;
	size_t first = index > LOOK_BACK ? index - LOOK_BACK : 0;

	for (size_t i = index; i-- > first; ) {
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		const struct code_insn *at = &code->insns[i];
		ZydisDecodedInstruction insn;
		uint8_t to;

		if (at->kind == CODE_PADDING)
			continue;
		if (at->kind != CODE_PLAIN || !decode(code, at->address, &insn, operands))
			return CODE_TABLE_UNKNOWN;
		if (insn.operand_count < 2 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		to = insn__register(operands[0].reg.value);
		if (to > 15 || (to != reg && to != other))
			continue;
		switch (insn.mnemonic) {
		case ZYDIS_MNEMONIC_ADD:
			if (to == reg && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER)
				other = insn__register(operands[1].reg.value);
			break;
		case ZYDIS_MNEMONIC_MOVSXD:
			if (operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY)
				return CODE_TABLE_UNKNOWN;
			return whose_access(code, i, &operands[1], 4);
		case ZYDIS_MNEMONIC_MOV:
			if (to == other)
				break;
			if (operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
				reg = insn__register(operands[1].reg.value);
				break;
			}
			if (operands[1].type != ZYDIS_OPERAND_TYPE_MEMORY)
				return CODE_TABLE_UNKNOWN;
			return whose_access(code, i, &operands[1], 8);
		case ZYDIS_MNEMONIC_LEA:
			if (to == other)	/* the table's start, loaded late */
				break;
			return CODE_TABLE_UNKNOWN;
		default:
			return CODE_TABLE_UNKNOWN;
		}
	}
	return CODE_TABLE_UNKNOWN;
}

enum code_table insn__table_of(const struct code *code, size_t index)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	const struct code_insn *jump = &code->insns[index];
	ZydisDecodedInstruction insn;

	if (!decode(code, jump->address, &insn, operands))
		return CODE_TABLE_UNKNOWN;
	/* Compilers write notrack where the table is their own: pointers must be tracked. */
	if (insn.attributes & ZYDIS_ATTRIB_HAS_NOTRACK)
		return CODE_TABLE_OWN;
	if (jump->kind == CODE_JUMP_REG)
		return whose_register(code, index, jump->reg);
	return whose_access(code, index, &operands[0], 8);
}
