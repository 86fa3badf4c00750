// SPDX-License-Identifier: GPL-2.0
#include "arch/relocate.h"
#include "arch/x86_64/x86_insn.h"

#include <string.h>

#define OPCODE_CALL 0xe8
#define OPCODE_JMP 0xe9

void emit__bytes(struct emitter *to, const void *bytes, size_t nr)
{
	if (to->failed || to->room - to->nr < nr) {
		to->failed = true;
		return;
	}
	memcpy(to->bytes + to->nr, bytes, nr);
	to->nr += nr;
}

/* The distance from the end of an instruction of so many bytes; false if it does not fit into 32 bits. */
static bool distance(uint64_t from, size_t length, uint64_t target, int32_t *distance)
{
	int64_t exact = target - (from + length);

	*distance = exact;
	return *distance == exact;
}

/* An opcode of one or two bytes, and how far it is to target. */
static void emit_branch(struct emitter *to, const uint8_t *opcode, size_t nr, uint64_t target)
{
	int32_t far;

	if (!distance(to->address + to->nr, nr + sizeof(far), target, &far))
		to->failed = true;
	emit__bytes(to, opcode, nr);
	emit__bytes(to, &far, sizeof(far));
}

void emit__jump(struct emitter *to, uint64_t target)
{
	emit_branch(to, &(uint8_t){ OPCODE_JMP }, 1, target);
}

void emit__call(struct emitter *to, uint64_t target)
{
	emit_branch(to, &(uint8_t){ OPCODE_CALL }, 1, target);
}

static void emit_conditional(struct emitter *to, uint8_t condition, uint64_t target)
{
	emit_branch(to, (uint8_t[]){ 0x0f, 0x80 | condition }, 2, target);
}

void relocate__unless(struct emitter *to, uint8_t condition, uint64_t target)
{
	emit_conditional(to, condition ^ 1, target);
}

bool jump__encode(uint8_t bytes[5], uint64_t from, uint64_t target)
{
	struct emitter to = { .bytes = bytes, .room = 5, .address = from };

	emit__jump(&to, target);
	return !to.failed;
}

static bool is_relative_to_itself(const ZydisDecodedInstruction *insn)
{
	return (insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) && insn->raw.modrm.mod == 0 &&
	       insn->raw.modrm.rm == 5;
}

void relocate__insn(struct emitter *to, const uint8_t *bytes, size_t left, uint64_t from)
{
	uint8_t copy[ZYDIS_MAX_INSTRUCTION_LENGTH];
	ZydisDecodedInstruction insn;
	int32_t far;

	if (!insn__decode_full(bytes, left, &insn, NULL)) {
		to->failed = true;
		return;
	}
	if (insn.raw.imm[0].is_relative) {
		uint64_t target = from + insn.length + insn.raw.imm[0].value.s;

		if (insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR)
			emit__jump(to, target);
		else
			emit_conditional(to, insn.opcode & 15, target);
		return;
	}
	memcpy(copy, bytes, insn.length);
	if (is_relative_to_itself(&insn)) {
		if (insn.raw.disp.size != 32 ||
		    !distance(to->address + to->nr, insn.length,
			      from + insn.length + insn.raw.disp.value, &far)) {
			to->failed = true;
			return;
		}
		memcpy(copy + insn.raw.disp.offset, &far, sizeof(far));
	}
	emit__bytes(to, copy, insn.length);
}
