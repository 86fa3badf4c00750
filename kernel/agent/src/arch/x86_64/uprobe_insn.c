// SPDX-License-Identifier: GPL-2.0
/*
 * Follows arch/x86/kernel/uprobes.c.  Where kernels differ, the worse answer is given: recent ones
 * emulate long nops, older ones refuse 66 90.
 */
#include "arch/x86_64/uprobe_insn.h"

static bool has_prefix(const ZydisDecodedInstruction *insn, uint8_t value)
{
	for (int i = 0; i < insn->raw.prefix_count; i++)
		if (insn->raw.prefixes[i].value == value)
			return true;
	return false;
}

/* Privileged, trapping, or not for user space: what the kernel's tables don't mark as good. */
static bool is_refused_opcode(uint8_t opcode)
{
	switch (opcode) {
	case 0x06: case 0x07: case 0x0e: case 0x16: case 0x17: case 0x1e: case 0x1f:
	case 0x27: case 0x2f: case 0x37: case 0x3f:
	case 0x60: case 0x61: case 0x62: case 0x6c: case 0x6d: case 0x6e: case 0x6f:
	case 0x82: case 0x9a:
	case 0xcc: case 0xcd: case 0xce: case 0xcf:
	case 0xd4: case 0xd5: case 0xd6:
	case 0xe4: case 0xe5: case 0xe6: case 0xe7: case 0xea:
	case 0xec: case 0xed: case 0xee: case 0xef:
	case 0xf1: case 0xf4: case 0xfa: case 0xfb:
		return true;
	default:
		return false;
	}
}

static bool is_refused_two_byte_opcode(uint8_t opcode)
{
	switch (opcode) {
	case 0x00: case 0x01: case 0x05: case 0x06: case 0x07: case 0x08: case 0x09: case 0x0b:
	case 0x30: case 0x34: case 0x35: case 0x37: case 0x78: case 0x79: case 0xae:
		return true;
	default:
		return false;
	}
}

/*
 * Instructions that behave differently when single-stepped: pushf pushes the trap flag of the step,
 * and a popf of that kills the program; a repeated string instruction traps after each round, and
 * then hits its probe again.
 */
static bool shows_the_step(const ZydisDecodedInstruction *insn)
{
	uint8_t opcode = insn->opcode;

	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
	    insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		return false;
	return opcode == 0x9c ||
	       ((has_prefix(insn, 0xf2) || has_prefix(insn, 0xf3)) &&
		((opcode >= 0xa4 && opcode <= 0xa7) || (opcode >= 0xaa && opcode <= 0xaf)));
}

/*
 * From Linux 6.18 on, a probe on a nop of five bytes becomes a system call.  A tracer sees that,
 * and a program that uses system call user dispatch gets a signal.  This function takes more
 * instructions for such a nop than the kernel does.
 */
static bool may_be_nop_of_five(const ZydisDecodedInstruction *insn)
{
	if (insn->length != 5)
		return false;
	return insn->mnemonic == ZYDIS_MNEMONIC_NOP ||
	       (insn->mnemonic == ZYDIS_MNEMONIC_LEA && !insn->raw.disp.value) ||
	       ((insn->mnemonic == ZYDIS_MNEMONIC_MOV || insn->mnemonic == ZYDIS_MNEMONIC_XCHG) &&
		insn->raw.modrm.offset && insn->raw.modrm.mod == 3);
}

static bool is_refused(const ZydisDecodedInstruction *insn)
{
	static const uint8_t bad_prefixes[] = { 0x26, 0x2e, 0x36, 0x3e, 0xf0 };

	for (size_t i = 0; i < sizeof(bad_prefixes); i++)
		if (has_prefix(insn, bad_prefixes[i]))
			return true;
	if (shows_the_step(insn) || may_be_nop_of_five(insn))
		return true;
	switch (insn->encoding) {
	case ZYDIS_INSTRUCTION_ENCODING_LEGACY:
		if (insn->opcode_map == ZYDIS_OPCODE_MAP_0F)
			return is_refused_two_byte_opcode(insn->opcode);
		if (insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
			return false;
		/* A load of ss delays the trap of a single step. */
		return is_refused_opcode(insn->opcode) ||
		       (insn->opcode == 0x8e && insn->raw.modrm.reg == 2);
	case ZYDIS_INSTRUCTION_ENCODING_VEX:
	case ZYDIS_INSTRUCTION_ENCODING_EVEX:
		/* The kernel looks these up in its table of one-byte opcodes. */
		return is_refused_opcode(insn->opcode);
	default:
		return true;
	}
}

static bool is_emulated(const ZydisDecodedInstruction *insn)
{
	uint8_t opcode = insn->opcode;

	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	if (insn->opcode_map == ZYDIS_OPCODE_MAP_0F)
		return opcode >= 0x80 && opcode <= 0x8f;
	if (insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		return false;
	if (opcode >= 0x50 && opcode <= 0x57)
		return insn->length == 1 ||
		       (insn->length == 2 && has_prefix(insn, 0x41));
	return opcode == 0x90 || opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb ||
	       (opcode >= 0x70 && opcode <= 0x7f);
}

enum fn_insn_cost uprobe_insn__cost(const ZydisDecodedInstruction *insn)
{
	if (is_refused(insn))
		return FN_INSN_UNSPECIFIED;
	if (!is_emulated(insn))
		return FN_INSN_SINGLE_STEPPED;
	/* A push of 16 bits is not emulated; branches and nops of that size are refused. */
	return has_prefix(insn, 0x66) ? FN_INSN_UNSPECIFIED : FN_INSN_EMULATED;
}
