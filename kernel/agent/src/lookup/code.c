// SPDX-License-Identifier: GPL-2.0
#include "code.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FUNCTION_BYTES (4u << 20)

static int __attribute__((format(printf, 2, 3)))
give_up(struct code *code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(code->reason, sizeof(code->reason), format, arguments);
	va_end(arguments);
	return -1;
}

const struct code_range *code__range_of(const struct code *code, uint64_t address)
{
	for (size_t i = 0; i < code->nr_ranges; i++)
		if (address >= code->ranges[i].start && address < code->ranges[i].end)
			return &code->ranges[i];
	return NULL;
}

/* The instruction that has this address anywhere within it, or NULL. */
static const struct code_insn *insn_around(const struct code *code, uint64_t address)
{
	const struct code_range *range = code__range_of(code, address);
	size_t low, high;

	if (!range)
		return NULL;
	low = range->first_insn;
	high = low + range->nr_insns;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct code_insn *insn = &code->insns[middle];

		if (insn->address > address)
			high = middle;
		else if (insn->address + insn->length <= address)
			low = middle + 1;
		else
			return insn;
	}
	return NULL;
}

const struct code_insn *code__insn_at(const struct code *code, uint64_t address)
{
	const struct code_insn *insn = insn_around(code, address);

	return insn && insn->address == address ? insn : NULL;
}

bool code__decode(const struct code *code, uint64_t address, ZydisDecodedInstruction *insn,
		  ZydisDecodedOperand *operands)
{
	const struct code_range *range = code__range_of(code, address);
	const uint8_t *bytes;
	size_t left;

	if (!range)
		return false;
	bytes = range->bytes.data + (address - range->start);
	left = range->end - address;
	if (operands)
		return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&code->decoder, bytes, left, insn,
							   operands));
	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&code->decoder, NULL, bytes, left, insn));
}

uint8_t code__register(ZydisRegister reg)
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
		/* Far returns and those from interrupts are no way out of a call. */
		to->kind = insn->mnemonic == ZYDIS_MNEMONIC_RET &&
			   (insn->opcode == 0xc3 || insn->opcode == 0xc2) ? CODE_RET : CODE_END;
		break;
	case ZYDIS_CATEGORY_CALL:
		to->kind = CODE_CALL;
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
		/* xbegin's target is where an abort leads, within the function. */
		if (insn->mnemonic == ZYDIS_MNEMONIC_XBEGIN)
			to->kind = CODE_LOOP;
		else if (insn->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && insn->opcode >= 0xe0)
			to->kind = CODE_LOOP;
		else
			to->kind = CODE_JUMP_COND;
	}
}

void code_insn__classify(struct code_insn *to, const ZydisDecodedInstruction *insn)
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

static struct code_insn *new_insn(struct code *code)
{
	if (code->nr_insns == code->room) {
		size_t room = code->room ? 2 * code->room : 64;
		struct code_insn *grown = realloc(code->insns, room * sizeof(*grown));

		if (!grown)
			return NULL;
		code->insns = grown;
		code->room = room;
	}
	code->insns[code->nr_insns] = (struct code_insn){ 0 };
	return &code->insns[code->nr_insns++];
}

static int decode_range(struct code *code, struct code_range *range)
{
	uint64_t address = range->start;

	range->first_insn = code->nr_insns;
	while (address < range->end) {
		ZydisDecodedInstruction insn;
		struct code_insn *to;

		if (!code__decode(code, address, &insn, NULL))
			return give_up(code, "It contains bytes that are no instructions (at +0x%"
				PRIx64 ").", address - code->ranges[0].start);
		to = new_insn(code);
		if (!to)
			return give_up(code, "There is no memory to examine it.");
		to->address = address;
		to->length = insn.length;
		code_insn__classify(to, &insn);
		address += insn.length;
	}
	range->nr_insns = code->nr_insns - range->first_insn;
	return 0;
}

int code__add_range(struct code *code, uint64_t address, uint64_t size)
{
	struct code_range *range = &code->ranges[code->nr_ranges];
	uint64_t left;

	if (code->nr_ranges == CODE_MAX_RANGES)
		return give_up(code, "It is scattered over more than %d places.", CODE_MAX_RANGES);
	if (!size)
		return give_up(code, "Its size is not known.");
	if (size > MAX_FUNCTION_BYTES)
		return give_up(code, "It is larger than %u MiB.", MAX_FUNCTION_BYTES >> 20);
	if (!elf_file__offset_of(code->file, address, true, &range->file_offset, &left) ||
	    size > left)
		return give_up(code, "It is not within the executable part of the file.");
	range->bytes.data = malloc(size + 1);
	range->bytes.length = size;
	range->start = address;
	range->end = address + size;
	code->nr_ranges++;
	if (!range->bytes.data ||
	    !elf_file__read_at(code->file, address, range->bytes.data, size))
		return give_up(code, "Its code can't be read.");
	return decode_range(code, range);
}

/* A jump past a lock prefix, as libraries do when there is a single thread. */
static bool skips_lock(const struct code *code, const struct code_insn *insn, uint64_t target)
{
	const struct code_range *range = code__range_of(code, insn->address);

	return target == insn->address + 1 && insn->kind == CODE_PLAIN &&
	       range->bytes.data[insn->address - range->start] == 0xf0;
}

static int check_targets(struct code *code)
{
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i], *at;

		if (insn->kind != CODE_JUMP && insn->kind != CODE_JUMP_COND &&
		    insn->kind != CODE_LOOP)
			continue;
		at = insn_around(code, insn->target);
		if (at && at->address != insn->target && !skips_lock(code, at, insn->target))
			return give_up(code, "It jumps into the middle of an instruction (at +0x%"
				PRIx64 ").", insn->address - code->ranges[0].start);
		if (!at && insn->kind == CODE_LOOP)
			return give_up(code,
				"It leaves through a jump that no probe can follow (at +0x%" PRIx64
				").", insn->address - code->ranges[0].start);
	}
	return 0;
}

/* What runs on behind the last instruction runs into another function. */
static int check_ends(struct code *code)
{
	for (size_t i = 0; i < code->nr_ranges; i++) {
		const struct code_range *range = &code->ranges[i];
		size_t last = range->first_insn + range->nr_insns;

		while (last > range->first_insn && code->insns[last - 1].kind == CODE_PADDING)
			last--;
		/* A part may go on in the next one. */
		if (code__range_of(code, range->end))
			continue;
		if (last == range->first_insn)
			return give_up(code, "It does nothing but fall into what follows it.");
		switch (code->insns[last - 1].kind) {
		case CODE_PLAIN: case CODE_JUMP_COND: case CODE_LOOP:
			return give_up(code,
				"Its end falls into what follows it, so a probe can't see all its ends.");
		default:
			break;
		}
	}
	return 0;
}

int code__read(struct code *code, struct elf_file *file, const struct symbols *symbols,
	       const struct fn_symbol *function, uint64_t size)
{
	memset(code, 0, sizeof(*code));
	code->file = file;
	ZydisDecoderInit(&code->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (code__add_range(code, function->address, size) ||
	    code__add_parts(code, symbols, function->name))
		return -1;
	if (check_targets(code) || check_ends(code))
		return -1;
	for (size_t i = 0; i < code->nr_insns; i++)
		if (code->insns[i].kind == CODE_JUMP_REG || code->insns[i].kind == CODE_JUMP_MEM)
			code->insns[i].table = code__table_of(code, i);
	return 0;
}

void code__free(struct code *code)
{
	for (size_t i = 0; i < code->nr_ranges; i++)
		free(code->ranges[i].bytes.data);
	free(code->insns);
	memset(code, 0, sizeof(*code));
}
