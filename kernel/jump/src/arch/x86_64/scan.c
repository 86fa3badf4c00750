// SPDX-License-Identifier: GPL-2.0
/*
 * What x86-64 code leads to.  It is gone through twice: instruction by instruction, beginning anew wherever a function
 * does; and byte by byte for all that looks like a jump of 32 bits or takes an address, because data among the code may
 * hide where instructions begin.
 */
#include "arch/x86_64/x86_insn.h"
#include "decide/targets.h"

#include <string.h>

static int32_t number_at(const uint8_t *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

static void mark_address(struct targets *targets, uint64_t address)
{
	targets__mark(targets, address, TARGET_ADDRESS);
	targets__mark_table(targets, address);
}

/* call and jmp, the conditional jumps, and xbegin; lea from an address relative to its end. */
static void scan_bytes(struct targets *targets, const struct target_range *range)
{
	for (uint64_t at = 0; at + 6 <= range->end - range->start; at++) {
		const uint8_t *bytes = range->bytes + at;
		uint64_t address = range->start + at;

		if (*bytes == 0xe8 || *bytes == 0xe9)
			targets__mark(targets, address + 5 + number_at(bytes + 1), TARGET_JUMP);
		else if ((*bytes == 0x0f && (bytes[1] & 0xf0) == 0x80) ||
			 (*bytes == 0xc7 && bytes[1] == 0xf8))
			targets__mark(targets, address + 6 + number_at(bytes + 2), TARGET_JUMP);
		else if (*bytes == 0x8d && (bytes[1] & 0xc7) == 0x05)
			mark_address(targets, address + 6 + number_at(bytes + 2));
	}
}

static void scan_insn(struct targets *targets, uint64_t address, const ZydisDecodedInstruction *insn)
{
	uint64_t end = address + insn->length;

	for (size_t i = 0; i < 2; i++) {
		if (!insn->raw.imm[i].size)
			continue;
		if (insn->raw.imm[i].is_relative)
			targets__mark(targets, end + insn->raw.imm[i].value.s, TARGET_JUMP);
		else if (targets->is_fixed && insn->raw.imm[i].size >= 32)
			targets__mark(targets, insn->raw.imm[i].is_signed ?
				(uint64_t)insn->raw.imm[i].value.s : insn->raw.imm[i].value.u,
				TARGET_ADDRESS);
	}
	if (!(insn->attributes & ZYDIS_ATTRIB_HAS_MODRM) || insn->raw.disp.size != 32)
		return;
	if (insn->mnemonic == ZYDIS_MNEMONIC_LEA && insn->raw.modrm.mod == 0 &&
	    insn->raw.modrm.rm == 5)
		mark_address(targets, end + insn->raw.disp.value);
	else if (targets->is_fixed && insn->mnemonic == ZYDIS_MNEMONIC_LEA)
		mark_address(targets, insn->raw.disp.value);
}

void targets__scan(struct targets *targets, const struct target_range *range)
{
	uint64_t bytes = range->end - range->start, at = 0;

	scan_bytes(targets, range);
	while (at < bytes) {
		ZydisDecodedInstruction insn;
		uint64_t next;

		if (!insn__decode_full(range->bytes + at, bytes - at, &insn, NULL)) {
			at++;
			continue;
		}
		scan_insn(targets, range->start + at, &insn);
		next = at + insn.length;
		while (++at < next && !(range->kinds[at] & TARGET_START))
			;
	}
}
