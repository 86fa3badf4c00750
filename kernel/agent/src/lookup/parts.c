// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a function away from it: unlikely code that the compiler gathers elsewhere.
 * Symbols name them, or, where those are stripped, what they do gives them away: they jump
 * back into the middle of the function, or return from its stack frame.
 */
#include "code.h"
#include "../arch/insn.h"

#include <string.h>

/* Larger ones are few; further away, conditional jumps more often lead to other functions. */
#define MAX_PART_BYTES 4096

/*
 * Goes through the code at an address without a symbol, to where no jump of its own leads
 * any further.  Returns its size if it belongs to the function, else 0.
 */
static uint64_t measure_part(const struct code *code, uint64_t address, uint64_t next_function)
{
	const struct code_range *own = &code->ranges[0];
	uint8_t bytes[INSN_MAX_BYTES];
	uint64_t at = address, furthest = address;
	bool belongs = false, first_way = true;
	int64_t depth = 0;

	while (at - address < MAX_PART_BYTES && at < next_function) {
		struct code_insn insn = { .address = at };
		size_t length = sizeof(bytes);

		while (length && !elf_file__read_at(code->file, at, bytes, length))
			length--;
		if (!length || code__range_of(code, at) || !insn__decode(&insn, bytes, length))
			break;
		at += insn.length;
		if (first_way)
			depth += insn__stack_growth(bytes, length);
		belongs |= depth < 0;
		if (insn.kind == CODE_JUMP || insn.kind == CODE_JUMP_COND) {
			belongs |= insn.target > own->start && insn.target < own->end;
			if (insn.target > furthest && insn.target - address < MAX_PART_BYTES &&
			    insn.target < next_function &&
			    !code__range_of(code, insn.target))
				furthest = insn.target;
		}
		if (insn.kind == CODE_RET || insn.kind == CODE_JUMP || insn.kind == CODE_END ||
		    insn.kind == CODE_JUMP_REG || insn.kind == CODE_JUMP_MEM) {
			first_way = false;
			if (at > furthest)
				break;
		}
	}
	return belongs ? at - address : 0;
}

int code__add_parts(struct code *code, const struct symbols *symbols, const char *function)
{
	/* Instructions are added while they are gone through: parts can jump to parts. */
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i];
		const struct fn_symbol *part;
		uint64_t size;

		if ((insn->kind != CODE_JUMP && insn->kind != CODE_JUMP_COND) ||
		    code__range_of(code, insn->target))
			continue;
		part = symbols__part_of(symbols, function, insn->target);
		if (part) {
			if (code__add_range(code, part->address, part->size))
				return -1;
			continue;
		}
		if (symbols->has_locals || symbols__has_address(symbols, insn->target))
			continue;
		size = measure_part(code, insn->target,
				    symbols__next_address(symbols, insn->target));
		if (size && code__add_range(code, insn->target, size))
			return -1;
	}
	return 0;
}
