// SPDX-License-Identifier: GPL-2.0
/*
 * A64 instructions, each four bytes.  Masks and values are those of the Arm Architecture
 * Reference Manual (C4, "A64 Instruction Set Encoding"); what uprobes do with them follows
 * arch/arm64/kernel/probes/decode-insn.c.
 */
#include <string.h>

#include "arch/insn.h"

#define IS(word, mask, value)	(((word) & (mask)) == (value))

#define IS_B(w)		IS(w, 0xfc000000, 0x14000000)
#define IS_BL(w)	IS(w, 0xfc000000, 0x94000000)
#define IS_B_COND(w)	IS(w, 0xff000000, 0x54000000)	/* and bc.cond */
#define IS_CB(w)	IS(w, 0x7e000000, 0x34000000)	/* cbz, cbnz */
#define IS_TB(w)	IS(w, 0x7e000000, 0x36000000)	/* tbz, tbnz */
#define IS_BR(w)	IS(w, 0xfffffc1f, 0xd61f0000)
#define IS_BLR(w)	IS(w, 0xfffffc1f, 0xd63f0000)
#define IS_RET(w)	IS(w, 0xfffffc1f, 0xd65f0000)
/* With pointer authentication. */
#define IS_BR_AUTH(w)	IS(w, 0xfefff800, 0xd61f0800)
#define IS_BLR_AUTH(w)	IS(w, 0xfefff800, 0xd63f0800)
#define IS_RET_AUTH(w)	IS(w, 0xfffffbff, 0xd65f0bff)
#define IS_ERET(w)	(IS(w, 0xffffffff, 0xd69f03e0) || IS(w, 0xfffffbff, 0xd69f0bff) || \
			 IS(w, 0xffffffff, 0xd6bf03e0))
#define IS_BRK(w)	IS(w, 0xffe0001f, 0xd4200000)
#define IS_HLT(w)	IS(w, 0xffe0001f, 0xd4400000)
#define IS_UDF(w)	IS(w, 0xffff0000, 0)
#define IS_NOP(w)	IS(w, 0xffffffff, 0xd503201f)
#define IS_BTI(w)	IS(w, 0xffffff3f, 0xd503241f)
#define IS_HINT(w)	IS(w, 0xfffff01f, 0xd503201f)
#define IS_ADR(w)	IS(w, 0x1f000000, 0x10000000)	/* and adrp */
#define IS_LITERAL(w)	IS(w, 0x3b000000, 0x18000000)	/* ldr, ldrsw, prfm and SIMD ones */
#define IS_LDR_X(w)	IS(w, 0xbf000000, 0x18000000)	/* a literal into w or x */
#define IS_LDRSW(w)	IS(w, 0xff000000, 0x98000000)
#define IS_EXCLUSIVE(w)	IS(w, 0x3f000000, 0x08000000)
/* Branches, exceptions and system instructions. */
#define IS_SYSTEM(w)	IS(w, 0x1c000000, 0x14000000)
#define IS_MRS(w)	IS(w, 0xfff00000, 0xd5300000)
#define IS_MSR(w)	(IS(w, 0xfff00000, 0xd5100000) || IS(w, 0xfff8f01f, 0xd500401f))
#define IS_EXCEPTION(w)	IS(w, 0xff000000, 0xd4000000)
#define MRS_DAIF	0xd53b4220

static uint32_t word_of(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* A field that counts instructions (words), converted to bytes. */
static int64_t words(uint32_t word, int lowest, int bits)
{
	return (int64_t)((uint64_t)word << (64 - lowest - bits)) >> (64 - bits) << 2;
}

bool insn__decode(struct code_insn *to, const uint8_t *bytes, size_t left)
{
	uint32_t w;

	if (left < 4)
		return false;
	w = word_of(bytes);
	to->length = 4;
	if (IS_B(w) || IS_BL(w)) {
		to->kind = IS_B(w) ? CODE_JUMP : CODE_CALL;
		to->target = to->address + words(w, 0, 26);
	} else if (IS_B_COND(w)) {
		to->kind = CODE_JUMP_COND;
		to->target = to->address + words(w, 5, 19);
		to->condition = w & 15;
	} else if (IS_CB(w) || IS_TB(w)) {
		to->kind = CODE_LOOP;
		to->target = to->address + words(w, 5, IS_CB(w) ? 19 : 14);
	} else if (IS_BR(w) || IS_BR_AUTH(w)) {
		to->kind = CODE_JUMP_REG;
		to->reg = w >> 5 & 31;
	} else if (IS_BLR(w) || IS_BLR_AUTH(w)) {
		to->kind = CODE_CALL;
	} else if (IS_RET(w) || IS_RET_AUTH(w)) {
		to->kind = CODE_RET;
	} else if (IS_ERET(w) || IS_BRK(w) || IS_HLT(w) || IS_UDF(w)) {
		to->kind = CODE_END;
	} else if (IS_NOP(w) || IS_BTI(w)) {
		to->kind = CODE_PADDING;
	}
	return true;
}

static bool is_steppable_hint(uint32_t w)
{
	switch (w >> 5 & 127) {
	case 0:				/* nop */
	case 7:				/* xpaclri */
	case 8: case 10:		/* pacia1716, pacib1716 */
	case 24: case 25:		/* paciaz, paciasp */
	case 26: case 27:		/* pacibz, pacibsp */
	case 32: case 34: case 36: case 38:	/* bti */
		return true;
	default:
		return false;
	}
}

static bool is_simulated(uint32_t w)
{
	/* Recent kernels also simulate nops, older ones do not: the worse answer is given. */
	return IS_B(w) || IS_BL(w) || IS(w, 0xff000010, 0x54000000) || IS_CB(w) || IS_TB(w) ||
	       IS_BR(w) || IS_BLR(w) || IS_RET(w) || IS_ADR(w) || IS_LDR_X(w) || IS_LDRSW(w);
}

enum fn_insn_cost insn__cost(const uint8_t *bytes, size_t left)
{
	uint32_t w;

	if (left < 4)
		return FN_INSN_UNSPECIFIED;
	w = word_of(bytes);
	if (is_simulated(w))
		return FN_INSN_EMULATED;
	if (IS_LITERAL(w) || IS_EXCLUSIVE(w) || IS_UDF(w))
		return FN_INSN_UNSPECIFIED;
	if (!IS_SYSTEM(w))
		return FN_INSN_SINGLE_STEPPED;
	if (IS_BR_AUTH(w) || IS_BLR_AUTH(w) || IS_RET_AUTH(w) || IS_ERET(w) || IS_MSR(w) ||
	    IS_EXCEPTION(w) || (IS_HINT(w) && !is_steppable_hint(w)) ||
	    (IS_MRS(w) && (w & ~31U) == (MRS_DAIF & ~31U)))
		return FN_INSN_UNSPECIFIED;
	return FN_INSN_SINGLE_STEPPED;
}

/*
 * Never: a return probe replaces the return address in the link register.  That has to happen
 * before the first instruction signs or copies it.
 */
bool insn__may_go_first(const struct code_insn *insn, const uint8_t *bytes, size_t left)
{
	return false;
}

int64_t insn__stack_growth(const uint8_t *bytes, size_t left)
{
	uint32_t w = left < 4 ? 0 : word_of(bytes);
	int64_t pair = words(w, 15, 7) * 2, one = (int64_t)((uint64_t)w << 43) >> 55;
	int64_t immediate = (w >> 10 & 0xfff) << (w >> 22 & 1 ? 12 : 0);

	if (IS(w, 0xffc003e0, 0xa98003e0) ||	/* stp x, x, [sp, #n]! */
	    IS(w, 0xffc003e0, 0xa8c003e0))	/* ldp x, x, [sp], #n */
		return -pair;
	if (IS(w, 0xffe00fe0, 0xf8000fe0) ||	/* str x, [sp, #n]! */
	    IS(w, 0xffe00fe0, 0xf84007e0))	/* ldr x, [sp], #n */
		return -one;
	if (IS(w, 0xff8003ff, 0xd10003ff))	/* sub sp, sp, #n */
		return immediate;
	if (IS(w, 0xff8003ff, 0x910003ff))	/* add sp, sp, #n */
		return -immediate;
	return 0;
}

bool insn__has_optional_prefix(const struct code_insn *insn, const uint8_t *bytes)
{
	return false;
}

/* Never called: on this architecture no question follows registers. */
uint16_t insn__written(const struct code_insn *insn, const uint8_t *bytes, size_t left)
{
	return UINT16_MAX;
}

/* Decided at run time, by where the jump's register leads. */
enum code_table insn__table_of(struct code *code, size_t index)
{
	return CODE_TABLE_UNKNOWN;
}

/*
 * Refuses functions that read data from their own range: a word of it may look like a return, and a
 * probe would change it.
 */
bool insn__is_sound(const struct code *code, const struct code_insn *insn, const uint8_t *bytes)
{
	uint32_t w = word_of(bytes);

	return !IS_LITERAL(w) || !code__range_of(code, insn->address + words(w, 5, 19));
}

bool insn__slot_of_jump(const struct elf_file *file, uint64_t address, uint64_t *slot)
{
	return false;
}
