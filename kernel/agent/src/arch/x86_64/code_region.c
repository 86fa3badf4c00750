// SPDX-License-Identifier: GPL-2.0
#include "arch/x86_64/code_region.h"

#define LOOK_BACK 256
#define MAX_EFFORT (1u << 24)

static const uint8_t *bytes_of(const struct code_region *region, size_t index, size_t *left)
{
	*left = region->length - region->insns[index].offset;
	return region->bytes + region->insns[index].offset;
}

static struct value value_at(const struct code_region *region, size_t index, uint8_t reg)
{
	size_t left;
	const uint8_t *bytes = bytes_of(region, index, &left);

	return insn__value(bytes, left, reg);
}

static bool is_mnemonic(const struct code_region *region, size_t index, ZydisMnemonic mnemonic)
{
	ZydisDecodedInstruction insn;
	size_t left;
	const uint8_t *bytes = bytes_of(region, index, &left);

	return insn__decode_full(bytes, left, &insn, NULL) && insn.mnemonic == mnemonic;
}

static bool is_kept_by_calls(uint8_t reg)
{
	return reg == 3 || reg == REG_RBP || reg >= 12;
}

/* Whether the region only ever puts the stack pointer, or a popped value, into this register. */
static bool holds_stack_alone(const struct code_region *region, uint8_t reg)
{
	bool holds = false;

	for (size_t i = 0; i < region->nr; i++) {
		struct value value = value_at(region, i, reg);

		if (value.kind == VALUE_KEPT)
			continue;
		if (value.kind == VALUE_OF_REGISTER && value.reg == REG_RSP)
			holds = true;
		else if (!is_mnemonic(region, i, ZYDIS_MNEMONIC_POP) &&
			 !is_mnemonic(region, i, ZYDIS_MNEMONIC_LEAVE) &&
			 !is_mnemonic(region, i, ZYDIS_MNEMONIC_ENTER))
			return false;
	}
	return holds;
}

static bool keeps_frame(struct code_region *region)
{
	if (region->keeps_frame < 0)
		region->keeps_frame = holds_stack_alone(region, REG_RBP);
	return region->keeps_frame;
}

/* Whether reg at insns[index] holds an earlier value of the stack pointer in this function. */
static bool comes_from_stack(const struct code_region *region, size_t index, uint8_t reg)
{
	uint8_t wanted = reg;

	for (size_t i = index; i-- > 0 && index - i < LOOK_BACK; ) {
		struct value value;

		if (region->insns[i].ends_block)
			break;
		value = value_at(region, i, wanted);
		if (region->insns[i].calls && !is_kept_by_calls(wanted))
			break;
		if (value.kind == VALUE_KEPT)
			continue;
		if (value.kind != VALUE_OF_REGISTER)
			break;
		if (value.reg == REG_RSP)
			return true;
		wanted = value.reg;
	}
	return is_kept_by_calls(reg) && holds_stack_alone(region, reg);
}

static struct frame_cfa cfa_at(struct code_region *region, size_t index)
{
	if (!region->has_walk)
		return (struct frame_cfa){ 0 };
	return frame_walk__cfa(&region->walk, region->start + region->insns[index].offset);
}

static uint8_t register_of_dwarf(uint8_t reg)
{
	static const uint8_t first[] = { 0, 2, 1, 3, 6, 7, 5, 4 };

	return reg < sizeof(first) ? first[reg] : reg;
}

/* Whether only earlier values of the stack pointer are ever stored at displacement(%rbp). */
static bool slot_comes_from_stack(const struct code_region *region, int64_t displacement)
{
	bool comes = false;

	for (size_t i = 0; i < region->nr; i++) {
		ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
		ZydisDecodedInstruction insn;
		size_t left;
		const uint8_t *bytes = bytes_of(region, i, &left);

		if (!insn__decode_full(bytes, left, &insn, NULL))
			return false;
		/* A store to it must name rbp, which few instructions do. */
		if (!(insn.attributes & ZYDIS_ATTRIB_HAS_MODRM) || insn.raw.modrm.mod == 3 ||
		    (insn.raw.modrm.rm & 7) != REG_RBP || insn.raw.disp.value != displacement ||
		    !insn__decode_full(bytes, left, &insn, operands))
			continue;
		if (operands[0].type != ZYDIS_OPERAND_TYPE_MEMORY ||
		    !(operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) ||
		    operands[0].mem.base != ZYDIS_REGISTER_RBP ||
		    operands[0].mem.index != ZYDIS_REGISTER_NONE)
			continue;
		if (insn.mnemonic != ZYDIS_MNEMONIC_MOV ||
		    operands[1].type != ZYDIS_OPERAND_TYPE_REGISTER)
			return false;
		if (operands[1].reg.value != ZYDIS_REGISTER_RSP &&
		    !comes_from_stack(region, i, insn__register(operands[1].reg.value)))
			return false;
		comes = true;
	}
	return comes;
}

const char *code_region__doubt(struct code_region *region, size_t index,
			       const struct stack_effect *effect)
{
	struct frame_cfa cfa;
	bool is_frame;

	switch (effect->kind) {
	case STACK_FRAME:
		return NULL;
	case STACK_DOUBT:
		return effect->doubt;
	default:
		break;
	}
	region->effort += region->nr;
	if (region->effort > MAX_EFFORT)
		return "moves its stack pointer at too many places to be examined";
	cfa = cfa_at(region, index);
	is_frame = cfa.kind == FRAME_CFA_EXPRESSION ||
		   (cfa.kind == FRAME_CFA_REGISTER && register_of_dwarf(cfa.reg) == REG_RBP);
	if (effect->reg == REG_RBP) {
		if (!is_frame && !keeps_frame(region))
			return "takes its stack pointer from a register that may hold anything";
		if (effect->kind == STACK_FROM_SLOT &&
		    !slot_comes_from_stack(region, effect->displacement))
			return "takes another stack pointer from memory";
		return NULL;
	}
	/* If the function realigned its stack, a register keeps the frame's beginning. */
	if (cfa.kind == FRAME_CFA_REGISTER && register_of_dwarf(cfa.reg) == effect->reg &&
	    effect->displacement - cfa.offset == -8)
		return NULL;
	if (comes_from_stack(region, index, effect->reg))
		return NULL;
	return "takes its stack pointer from a register that may hold anything";
}

bool code_region__constant(const struct code_region *region, size_t index, uint8_t reg,
			   uint64_t *constant, uint64_t *from)
{
	for (size_t i = index; i-- > 0 && index - i < LOOK_BACK; ) {
		struct value value;

		if (region->insns[i].ends_block || region->insns[i].calls)
			return false;
		value = value_at(region, i, reg);
		if (value.kind == VALUE_KEPT)
			continue;
		if (value.kind != VALUE_CONSTANT)
			return false;
		*constant = value.constant;
		*from = region->start + region->insns[i].offset + region->insns[i].length;
		return true;
	}
	return false;
}
