// SPDX-License-Identifier: GPL-2.0
#include "arch/insn.h"
#include "arch/x86_64/uprobe_insn.h"
#include "arch/x86_64/x86_insn.h"

static const ZydisDecoder *decoder(void)
{
	static ZydisDecoder decoder;
	static bool ready;

	if (!ready)
		ready = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
						      ZYDIS_STACK_WIDTH_64));
	return &decoder;
}

bool insn__decode_full(const uint8_t *bytes, size_t left, ZydisDecodedInstruction *insn,
		       ZydisDecodedOperand *operands)
{
	if (operands)
		return ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder(), bytes, left, insn, operands));
	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder(), NULL, bytes, left, insn));
}

uint8_t insn__register(ZydisRegister reg)
{
	if (reg >= ZYDIS_REGISTER_RAX && reg <= ZYDIS_REGISTER_R15)
		return reg - ZYDIS_REGISTER_RAX;
	if (reg >= ZYDIS_REGISTER_EAX && reg <= ZYDIS_REGISTER_R15D)
		return reg - ZYDIS_REGISTER_EAX;
	return 16;
}

static void classify_branch(struct code_insn *to, const ZydisDecodedInstruction *insn)
{
	uint64_t target = to->address + insn->length + insn->raw.imm[0].value.s;

	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_RET:
		/* Far returns, and returns from interrupts, don't end a call. */
		to->kind = insn->mnemonic == ZYDIS_MNEMONIC_RET &&
			   (insn->opcode == 0xc3 || insn->opcode == 0xc2) ? CODE_RET : CODE_END;
		break;
	case ZYDIS_CATEGORY_CALL:
		to->kind = CODE_CALL;
		if (insn->raw.imm[0].is_relative)
			to->target = target;
		break;
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (insn->mnemonic != ZYDIS_MNEMONIC_JMP) {
			if (insn->mnemonic != ZYDIS_MNEMONIC_XABORT)
				to->kind = CODE_END;
		} else if (insn->raw.imm[0].is_relative) {
			to->kind = CODE_JUMP;
			to->target = target;
		} else if (insn->opcode != 0xff || insn->raw.modrm.reg != 4) {
			to->kind = CODE_END;
		} else if (insn->raw.modrm.mod == 3) {
			to->kind = CODE_JUMP_REG;
			to->reg = insn->raw.modrm.rm | (insn->raw.rex.B << 3);
		} else {
			to->kind = CODE_JUMP_MEM;
		}
		break;
	default:
		if (!insn->raw.imm[0].is_relative)
			break;
		to->target = target;
		to->condition = insn->opcode & 15;
		/* xbegin's target is where it goes on after an abort, within the function. */
		if (insn->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
			to->kind = CODE_LOOP;
		else if (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && insn->opcode >= 0xe0)
			to->kind = CODE_LOOP;
		else
			to->kind = CODE_JUMP_COND;
	}
}

static void classify(struct code_insn *to, const ZydisDecodedInstruction *insn)
{
	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_UD0: case ZYDIS_MNEMONIC_UD1: case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT: case ZYDIS_MNEMONIC_INT3: case ZYDIS_MNEMONIC_INT1:
		to->kind = CODE_END;
		break;
	case ZYDIS_MNEMONIC_NOP: case ZYDIS_MNEMONIC_ENDBR64:
		to->kind = CODE_PADDING;
		break;
	default:
		classify_branch(to, insn);
	}
}

bool insn__decode(struct code_insn *to, const uint8_t *bytes, size_t left)
{
	ZydisDecodedInstruction insn;

	if (!insn__decode_full(bytes, left, &insn, NULL))
		return false;
	to->length = insn.length;
	classify(to, &insn);
	return true;
}

enum fn_insn_cost insn__cost(const uint8_t *bytes, size_t left)
{
	ZydisDecodedInstruction insn;

	return insn__decode_full(bytes, left, &insn, NULL) ? uprobe_insn__cost(&insn) :
	       FN_INSN_UNSPECIFIED;
}

bool insn__may_go_first(const struct code_insn *at, const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	if (at->kind == CODE_PADDING)
		return true;
	if (at->kind != CODE_PLAIN || !insn__decode_full(bytes, left, &insn, operands) ||
	    insn.meta.category == ZYDIS_CATEGORY_SYSCALL ||
	    (insn.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
				ZYDIS_ATTRIB_HAS_REPNE | ZYDIS_ATTRIB_HAS_LOCK)))
		return false;
	for (int i = 0; i < insn.operand_count; i++) {
		const ZydisDecodedOperand *operand = &operands[i];

		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
			operand->reg.value) == ZYDIS_REGISTER_RSP)
			return false;
		if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    operand->mem.type == ZYDIS_MEMOP_TYPE_MEM &&
		    operand->mem.base != ZYDIS_REGISTER_RIP)
			return false;
	}
	return true;
}

static int64_t growth(const ZydisDecodedInstruction *insn,
		      const ZydisDecodedOperand *operands)
{
	bool on_sp = insn->operand_count >= 2 &&
		     operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		     operands[0].reg.value == ZYDIS_REGISTER_RSP &&
		     operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	switch (insn->mnemonic) {
	case ZYDIS_MNEMONIC_PUSH:
		return 8;
	case ZYDIS_MNEMONIC_POP:
		return -8;
	case ZYDIS_MNEMONIC_SUB:
		return on_sp ? operands[1].imm.value.s : 0;
	case ZYDIS_MNEMONIC_ADD:
		return on_sp ? -operands[1].imm.value.s : 0;
	default:
		return 0;
	}
}

int64_t insn__stack_growth(const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;

	return insn__decode_full(bytes, left, &insn, operands) ? growth(&insn, operands) : 0;
}

/* Libraries skip a lock prefix by a jump if there is only one thread. */
bool insn__has_optional_prefix(const struct code_insn *insn, const uint8_t *bytes)
{
	return insn->kind == CODE_PLAIN && *bytes == 0xf0;
}

bool insn__is_sound(const struct code *code, const struct code_insn *insn, const uint8_t *bytes)
{
	return true;
}

uint16_t insn__written(const struct code_insn *at, const uint8_t *bytes, size_t left)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	/* A call preserves rbx, rbp, rsp and r12 to r15. */
	uint16_t written = at->kind == CODE_CALL ? 0x0fc7 : 0;

	if (at->kind == CODE_PADDING || !insn__decode_full(bytes, left, &insn, operands))
		return written;
	for (int i = 0; i < insn.operand_count && at->kind != CODE_CALL; i++) {
		uint8_t reg;

		if (operands[i].type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		reg = insn__register(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
								      operands[i].reg.value));
		if (reg < 16)
			written |= 1 << reg;
	}
	return written;
}

bool insn__slot_of_jump(const struct elf_file *file, uint64_t address, uint64_t *slot)
{
	uint8_t bytes[2 * INSN_MAX_BYTES];
	ZydisDecodedInstruction insn;
	size_t length = sizeof(bytes), at = 0;

	while (length && !elf_file__read_at(file, address, bytes, length))
		length--;
	if (length > 4 && insn__decode_full(bytes, length, &insn, NULL) &&
	    insn.mnemonic == ZYDIS_MNEMONIC_ENDBR64)
		at = insn.length;
	if (at >= length || !insn__decode_full(bytes + at, length - at, &insn, NULL) ||
	    insn.mnemonic != ZYDIS_MNEMONIC_JMP || insn.opcode != 0xff || insn.raw.modrm.reg != 4 ||
	    insn.raw.modrm.mod != 0 || insn.raw.modrm.rm != 5)
		return false;
	*slot = address + at + insn.length + insn.raw.disp.value;
	return true;
}
