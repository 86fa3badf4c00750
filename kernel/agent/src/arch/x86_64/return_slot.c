// SPDX-License-Identifier: GPL-2.0
#include "arch/x86_64/return_slot.h"

#include "arch/x86_64/stack_insn.h"

#define NO_REG 16
/* DWARF's numbers of registers. */
#define DWARF_RBP 6
#define DWARF_RSP 7
/* The offset of uc_mcontext.gregs[REG_RSP] in ucontext_t. */
#define CONTEXT_RSP 0xa0

/* The base register of its memory operand; NO_REG if there is none, or if it has an index. */
static uint8_t base_of(const ZydisDecodedInstruction *insn)
{
	uint8_t rm = insn->raw.modrm.rm;

	if (!(insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) || insn->raw.modrm.mod == 3 ||
	    insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
	    insn->meta.category == ZYDIS_CATEGORY_NOP ||
	    insn->meta.category == ZYDIS_CATEGORY_WIDENOP)
		return NO_REG;
	if (rm == 5 && !insn->raw.modrm.mod)
		return NO_REG;
	if (rm != 4)
		return rm | insn->raw.rex.B << 3;
	if (insn->raw.sib.index != 4 || insn->raw.rex.X ||
	    (insn->raw.sib.base == 5 && !insn->raw.modrm.mod))
		return NO_REG;
	return insn->raw.sib.base | insn->raw.rex.B << 3;
}

/* Whether it adds nothing to the memory: such instructions are barriers, or touch the stack. */
static bool adds_nothing(const ZydisDecodedInstruction *insn)
{
	return (insn->mnemonic == ZYDIS_MNEMONIC_OR || insn->mnemonic == ZYDIS_MNEMONIC_ADD) &&
	       insn->raw.imm[0].size && !insn->raw.imm[0].value.u;
}

/*
 * What is doubtful about the instruction if return addresses are replaced, in the form "reads …";
 * NULL: nothing.
 */
static const char *return_doubt(const ZydisDecodedInstruction *insn, struct frame_cfa cfa)
{
	uint8_t base = base_of(insn);
	int64_t from_frame;

	if ((base != REG_RSP && base != REG_RBP) || cfa.kind != FRAME_CFA_REGISTER ||
	    cfa.reg != (base == REG_RSP ? DWARF_RSP : DWARF_RBP) || adds_nothing(insn))
		return NULL;
	from_frame = insn->raw.disp.value - cfa.offset;
	if (from_frame == -8)
		return "reads or writes a return address";
	/* The caller's frame pointer leads to the return addresses of callers. */
	if (from_frame == -16 && base == REG_RBP && cfa.offset == 16 &&
	    insn->mnemonic != ZYDIS_MNEMONIC_LEA)
		return "goes through the frames of its callers";
	return NULL;
}

/* How many bytes a vector instruction stores, or 0. */
static int stored_by_vector(const ZydisDecodedInstruction *insn)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_MOVUPS: case ZYDIS_MNEMONIC_MOVUPD:
	case ZYDIS_MNEMONIC_VMOVUPS: case ZYDIS_MNEMONIC_VMOVUPD:
		return insn->opcode == 0x11 ? 32 : 0;
	case ZYDIS_MNEMONIC_MOVAPS: case ZYDIS_MNEMONIC_MOVAPD:
	case ZYDIS_MNEMONIC_VMOVAPS: case ZYDIS_MNEMONIC_VMOVAPD:
		return insn->opcode == 0x29 ? 32 : 0;
	case ZYDIS_MNEMONIC_MOVDQU: case ZYDIS_MNEMONIC_MOVDQA:
	case ZYDIS_MNEMONIC_VMOVDQU: case ZYDIS_MNEMONIC_VMOVDQA:
		return insn->opcode == 0x7f ? 32 : 0;
	case ZYDIS_MNEMONIC_MOVQ: case ZYDIS_MNEMONIC_VMOVQ:
		return insn->opcode == 0xd6 || insn->opcode == 0x7e ? 8 : 0;
	case ZYDIS_MNEMONIC_MOVLPS: case ZYDIS_MNEMONIC_MOVLPD:
		return insn->opcode == 0x13 ? 8 : 0;
	case ZYDIS_MNEMONIC_MOVHPS: case ZYDIS_MNEMONIC_MOVHPD:
		return insn->opcode == 0x17 ? 8 : 0;
	default:
		return 0;
	}
}

static int stored_by_register(const ZydisDecodedInstruction *insn)
{
	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || !insn->raw.rex.W)
		return 0;
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		return insn->opcode == 0x89 || insn->opcode == 0xc7 ? 8 : 0;
	case ZYDIS_MNEMONIC_ADD: case ZYDIS_MNEMONIC_SUB: case ZYDIS_MNEMONIC_AND:
	case ZYDIS_MNEMONIC_OR:
		/* Opcodes that write memory; those that write a register are by two higher. */
		return insn->opcode >= 0x80 || (insn->opcode & 3) == 1 ? 8 : 0;
	case ZYDIS_MNEMONIC_XCHG: case ZYDIS_MNEMONIC_INC: case ZYDIS_MNEMONIC_DEC:
		return 8;
	default:
		return 0;
	}
}

/* Whether it may write the saved stack pointer, by a register that does not address the frame. */
static bool may_write_context(const ZydisDecodedInstruction *insn, struct frame_cfa cfa)
{
	int64_t at = insn->raw.disp.value;
	int bytes = stored_by_register(insn);
	uint8_t base = base_of(insn);

	if (!bytes)
		bytes = stored_by_vector(insn);
	return at <= CONTEXT_RSP && at + bytes > CONTEXT_RSP && insn->raw.modrm.rm != 4 &&
	       !(base == REG_RBP && cfa.reg == DWARF_RBP);
}

void code_region__note_returns(struct code_region *region, size_t index,
			       const ZydisDecodedInstruction *insn, struct stack_proof *proof)
{
	uint64_t address = region->start + region->insns[index].offset;
	struct frame_cfa cfa;
	const char *what;

	if (!region->has_walk || !(insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) ||
	    insn->raw.modrm.mod == 3)
		return;
	cfa = frame_walk__cfa(&region->walk, address);
	what = return_doubt(insn, cfa);
	if (what && !proof->return_doubt) {
		proof->return_doubt = what;
		proof->return_address = address;
	}
	if (!proof->context_address && may_write_context(insn, cfa))
		proof->context_address = address;
}
