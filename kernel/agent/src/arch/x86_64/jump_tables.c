// SPDX-License-Identifier: GPL-2.0
/*
 * Indirect jumps of switches and of interpreters stay within the function; those through pointers
 * leave it.  The code that compilers make for both is similar, so that the table itself decides:
 *
 *	lea    table(%rip), %base	(or, not position independent, an absolute address)
 *	movslq (%base,%index,4), %r	table of int32 offsets from its own start
 *	add    %base, %r
 *	jmp    *%r
 *
 *	mov    (%base,%index,8), %r	table of addresses
 *	jmp    *%r			or jmp *(%base,%index,8)
 *
 * Base may be loaded far away, and kept in any register or in the frame.  The definitions are
 * followed backwards along all jumps, and all of them have to agree.
 *
 * A table is the function's own if its entries are addresses of instructions within the function:
 * tables of function pointers do not point there.
 */
#include "arch/insn.h"
#include "arch/x86_64/x86_insn.h"

#include <stdlib.h>
#include <string.h>

#define MAX_STEPS 8		/* of moves from one register or slot to another */
#define LOOK_FOR_BOUND 16	/* instructions before the load */
#define MAX_ENTRIES 4096

struct decoded {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static bool decode(const struct code *code, size_t index, struct decoded *to)
{
	size_t left;
	const uint8_t *bytes = code__bytes(code, code->insns[index].address, &left);

	return bytes && insn__decode_full(bytes, left, &to->insn, to->operands);
}

static bool is_memory(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
}

static bool is_register(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

/* Whether the operand is a place in the frame whose address does not depend on computed values. */
static bool is_slot(const ZydisDecodedOperand *operand)
{
	return is_memory(operand) && operand->mem.index == ZYDIS_REGISTER_NONE &&
	       (operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.base == ZYDIS_REGISTER_RBP);
}

static bool address_in(struct code *code, size_t index, uint8_t reg, int steps, uint64_t *address);

/* Finds which instructions write to a slot, at least in part; false without memory. */
static bool choose_slot(struct code *code, const ZydisDecodedOperand *slot)
{
	uint8_t base = insn__register(slot->mem.base);
	struct flow_slot *chosen = &code->flow.slot;
	int64_t offset = slot->mem.disp.value;

	if (chosen->written && chosen->base == base && chosen->offset == offset)
		return true;
	free(chosen->written);
	*chosen = (struct flow_slot){ base, offset, calloc(code->nr_insns / 8 + 1, 1) };
	code->flow.effort += 4 * code->nr_insns;
	for (size_t i = 0; chosen->written && i < code->nr_insns; i++) {
		const ZydisDecodedOperand *to;
		struct decoded at;

		if (code->insns[i].kind != CODE_PLAIN || !decode(code, i, &at))
			continue;
		to = &at.operands[0];
		if (at.insn.operand_count && is_slot(to) && to->mem.base == slot->mem.base &&
		    (to->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
		    to->mem.disp.value < offset + 8 &&
		    offset < to->mem.disp.value + (int64_t)(at.operands[0].size / 8))
			chosen->written[i / 8] |= 1 << i % 8;
	}
	return chosen->written;
}

/*
 * The address that is kept in a slot of the frame.  Compilers keep other values there while this
 * one is not needed.  All values that are addresses have to agree.
 */
static bool address_in_slot(struct code *code, size_t index, const ZydisDecodedOperand *slot,
			    int steps, uint64_t *address)
{
	struct flow_definitions definitions;
	bool found = false;

	if (!steps || !choose_slot(code, slot) ||
	    !flow__slot_definitions(&code->flow, index, &definitions))
		return false;
	for (size_t i = 0; i < definitions.nr; i++) {
		struct decoded at;
		uint64_t stored;

		if (!decode(code, definitions.at[i], &at) ||
		    at.insn.mnemonic != ZYDIS_MNEMONIC_MOV || !is_register(&at.operands[1]) ||
		    at.operands[0].mem.disp.value != slot->mem.disp.value ||
		    !address_in(code, definitions.at[i], insn__register(at.operands[1].reg.value),
				steps - 1, &stored))
			continue;
		if (found && stored != *address)
			return false;
		*address = stored;
		found = true;
	}
	return found;
}

/* The address that insns[index] puts into a register; false if it is not always the same. */
static bool address_by(struct code *code, size_t index, int steps, uint64_t *address)
{
	struct decoded at;

	if (!decode(code, index, &at) || at.insn.operand_count < 2 || !is_register(&at.operands[0]))
		return false;
	switch (at.insn.mnemonic) {
	case ZYDIS_MNEMONIC_LEA:
		if (at.operands[1].mem.index != ZYDIS_REGISTER_NONE)
			return false;
		if (at.operands[1].mem.base == ZYDIS_REGISTER_RIP) {
			*address = code->insns[index].address + at.insn.length +
				   at.operands[1].mem.disp.value;
			return true;
		}
		if (!address_in(code, index, insn__register(at.operands[1].mem.base), steps, address))
			return false;
		*address += at.operands[1].mem.disp.value;
		return true;
	case ZYDIS_MNEMONIC_MOV:
		if (at.operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
			*address = at.operands[1].imm.value.u;
			return true;
		}
		if (is_register(&at.operands[1]))
			return address_in(code, index, insn__register(at.operands[1].reg.value),
					  steps, address);
		return is_slot(&at.operands[1]) &&
		       address_in_slot(code, index, &at.operands[1], steps, address);
	default:
		return false;
	}
}

/* The address that a register holds before insns[index]; false unless all definitions agree. */
static bool address_in(struct code *code, size_t index, uint8_t reg, int steps, uint64_t *address)
{
	struct flow_definitions definitions;

	if (!steps || !flow__definitions(&code->flow, index, reg, true, &definitions))
		return false;
	for (size_t i = 0; i < definitions.nr; i++) {
		uint64_t other;

		if (!address_by(code, definitions.at[i], steps - 1, &other) ||
		    (i && other != *address))
			return false;
		*address = other;
	}
	return true;
}

/* If not all agree: the table whose address was loaded last before it in the order of the code. */
static bool nearest_address(struct code *code, size_t index, uint8_t reg, uint64_t *address)
{
	while (index-- > 0) {
		struct decoded at;

		if (!(code->flow.written[index] >> reg & 1) || code->insns[index].kind != CODE_PLAIN)
			continue;
		if (decode(code, index, &at) && at.insn.mnemonic == ZYDIS_MNEMONIC_LEA &&
		    at.operands[1].mem.base == ZYDIS_REGISTER_RIP &&
		    address_by(code, index, 1, address))
			return true;
	}
	return false;
}

static uint8_t whole_register(ZydisRegister reg)
{
	return insn__register(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

/* How many entries the comparison just before the jump allows for the index; 0: not known. */
static size_t entries_before(const struct code *code, size_t index, uint8_t reg)
{
	for (size_t i = index; i-- > 0 && index - i <= LOOK_FOR_BOUND; ) {
		const struct code_insn *insn = &code->insns[i];
		struct decoded at;

		if (!decode(code, i, &at) || at.insn.operand_count < 2 ||
		    !is_register(&at.operands[0]) || whole_register(at.operands[0].reg.value) != reg)
			continue;
		/* ja: 7, jbe: 6 */
		if (at.insn.mnemonic == ZYDIS_MNEMONIC_CMP)
			return insn[1].kind == CODE_JUMP_COND && (insn[1].condition & ~1) == 6 &&
			       at.operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
			       at.operands[1].imm.value.u < MAX_ENTRIES ?
			       at.operands[1].imm.value.u + 1 : 0;
		if (!(code->flow.written[i] >> reg & 1))
			continue;
		/* The index may be widened or moved in between. */
		if (!is_register(&at.operands[1]) || (at.insn.mnemonic != ZYDIS_MNEMONIC_MOV &&
						      at.insn.mnemonic != ZYDIS_MNEMONIC_MOVZX &&
						      at.insn.mnemonic != ZYDIS_MNEMONIC_MOVSXD))
			return 0;
		reg = whole_register(at.operands[1].reg.value);
	}
	return 0;
}

static bool entry_of(const struct code *code, uint64_t table, size_t index, unsigned int bytes,
		     uint64_t *target)
{
	uint64_t at = table + index * bytes;
	int32_t offset;

	if (bytes == 4) {
		if (!elf_file__read_at(code->file, at, &offset, sizeof(offset)))
			return false;
		*target = table + offset;
		return true;
	}
	if (!elf_file__read_at(code->file, at, target, sizeof(*target)))
		return false;
	/* The file has a 0 there, or already the value that the relocation writes. */
	elf_file__relocated(code->file, at, target);
	return true;
}

/* Whether target is in a part of the function; one that only the table reaches is added. */
static bool is_in_part(struct code *code, uint64_t target, bool has_own)
{
	if (code->new_part)
		return target - code->new_part < code->new_part_bytes;
	if (code__range_of(code, target) || code->nr_ranges == CODE_MAX_RANGES)
		return false;
	code->new_part_bytes = code__find_part(code, target, has_own, &code->new_part);
	if (!code->new_part_bytes)
		code->new_part = 0;
	return code->new_part;
}

/* index: that of the instruction that loads the entry. */
static enum code_table whose_table(struct code *code, size_t index, uint8_t index_reg,
				    uint64_t table, unsigned int entry_bytes)
{
	size_t nr = entries_before(code, index, index_reg), own = 0;

	do {
		uint64_t target;

		if (!entry_of(code, table, own, entry_bytes, &target))
			return own ? CODE_TABLE_OWN : CODE_TABLE_UNKNOWN;
		if (!code__insn_at(code, target) && !is_in_part(code, target, own))
			break;
	} while (++own < nr);
	if (own >= nr && own)
		return CODE_TABLE_OWN;
	return own ? CODE_TABLE_UNKNOWN : CODE_TABLE_OF_OTHERS;
}

/* Whose table it is that an operand like (%base,%index,scale) or table(,%index,scale) reads. */
static enum code_table whose_access(struct code *code, size_t index,
				    const ZydisDecodedOperand *memory, unsigned int entry_bytes)
{
	uint8_t base = insn__register(memory->mem.base);
	uint64_t table = 0;

	if (memory->mem.index == ZYDIS_REGISTER_NONE)
		return CODE_TABLE_OF_OTHERS;	/* a pointer, not a table */
	if (memory->mem.scale != entry_bytes) {
		/*
		 * The index was multiplied before; then the base is the register whose value is
		 * known.
		 */
		if (memory->mem.scale != 1)
			return CODE_TABLE_UNKNOWN;
		if (!address_in(code, index, base, MAX_STEPS, &table) &&
		    !address_in(code, index, insn__register(memory->mem.index), MAX_STEPS, &table))
			return CODE_TABLE_UNKNOWN;
	} else if (memory->mem.base != ZYDIS_REGISTER_NONE &&
		   (base > 15 || (!address_in(code, index, base, MAX_STEPS, &table) &&
				  !nearest_address(code, index, base, &table)))) {
		return CODE_TABLE_UNKNOWN;
	}
	return whose_table(code, index, whole_register(memory->mem.index),
			   table + memory->mem.disp.value, entry_bytes);
}

/* Whose table of offsets it is from which a register was loaded before insns[index]. */
static enum code_table whose_offset(struct code *code, size_t index, uint8_t reg, int steps)
{
	enum code_table whose = CODE_TABLE_UNKNOWN;
	struct flow_definitions definitions;

	if (!steps || !flow__definitions(&code->flow, index, reg, true, &definitions))
		return CODE_TABLE_UNKNOWN;
	for (size_t i = 0; i < definitions.nr; i++) {
		enum code_table one = CODE_TABLE_UNKNOWN;
		struct decoded at;

		if (!decode(code, definitions.at[i], &at) || at.insn.operand_count < 2)
			return CODE_TABLE_UNKNOWN;
		if (at.insn.mnemonic == ZYDIS_MNEMONIC_MOVSXD && is_memory(&at.operands[1]))
			one = whose_access(code, definitions.at[i], &at.operands[1], 4);
		else if (at.insn.mnemonic == ZYDIS_MNEMONIC_MOVSXD ||
			 at.insn.mnemonic == ZYDIS_MNEMONIC_MOV)
			one = !is_memory(&at.operands[1]) ? whose_offset(code, definitions.at[i],
				insn__register(at.operands[1].reg.value), steps - 1) :
				at.insn.operand_width == 32 && at.insn.mnemonic == ZYDIS_MNEMONIC_MOV ?
				whose_access(code, definitions.at[i], &at.operands[1], 4) :
				CODE_TABLE_UNKNOWN;
		if (i && one != whose)
			return CODE_TABLE_UNKNOWN;
		whose = one;
	}
	return whose;
}

static enum code_table whose_register(struct code *code, size_t index, uint8_t reg, int steps);

static enum code_table whose_definition(struct code *code, size_t index, int steps)
{
	enum code_table whose;
	struct decoded at;

	if (!decode(code, index, &at) || at.insn.operand_count < 2 || !is_register(&at.operands[0]))
		return CODE_TABLE_UNKNOWN;
	switch (at.insn.mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
		/* One operand is the offset, the other one the table's start. */
		whose = whose_offset(code, index, insn__register(at.operands[0].reg.value), MAX_STEPS);
		if (whose == CODE_TABLE_UNKNOWN && is_register(&at.operands[1]))
			whose = whose_offset(code, index,
					     insn__register(at.operands[1].reg.value), MAX_STEPS);
		return whose;
	case ZYDIS_MNEMONIC_MOV:
		if (is_register(&at.operands[1]))
			return whose_register(code, index,
					      insn__register(at.operands[1].reg.value), steps);
		if (!is_memory(&at.operands[1]))
			return CODE_TABLE_UNKNOWN;
		return whose_access(code, index, &at.operands[1], 8);
	default:
		return CODE_TABLE_UNKNOWN;
	}
}

static enum code_table whose_register(struct code *code, size_t index, uint8_t reg, int steps)
{
	enum code_table whose = CODE_TABLE_UNKNOWN;
	struct flow_definitions definitions;

	if (!steps || !flow__definitions(&code->flow, index, reg, true, &definitions))
		return CODE_TABLE_UNKNOWN;
	for (size_t i = 0; i < definitions.nr; i++) {
		enum code_table one = whose_definition(code, definitions.at[i], steps - 1);

		if (i && one != whose)
			return CODE_TABLE_UNKNOWN;
		whose = one;
	}
	return whose;
}

enum code_table insn__table_of(struct code *code, size_t index)
{
	const struct code_insn *jump = &code->insns[index];
	struct decoded at;

	if (!decode(code, index, &at))
		return CODE_TABLE_UNKNOWN;
	/*
	 * Compilers use notrack only with their own tables: jumps through pointers must be tracked.
	 */
	if (at.insn.attributes & ZYDIS_ATTRIB_HAS_NOTRACK)
		return CODE_TABLE_OWN;
	if (jump->kind == CODE_JUMP_REG)
		return whose_register(code, index, jump->reg, MAX_STEPS);
	return whose_access(code, index, &at.operands[0], 8);
}
