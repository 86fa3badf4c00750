// SPDX-License-Identifier: GPL-2.0
/*
 * Parts of a function that are away from it: unlikely code that the compiler moves elsewhere.
 * Symbols name them.  If those are stripped, parts are recognized by what they do: they jump back
 * into the middle of the function, or return from its stack frame.
 */
#include "arch.h"
#include "arch/insn.h"
#include "lookup/code.h"

#include <string.h>

/* Few are larger, and the further a conditional jump, the likelier it leads to another function. */
#define MAX_PART_BYTES 4096

/*
 * Goes through the code at an address without a symbol, until none of its own jumps leads further.
 * Returns its size if it belongs to the function, otherwise 0.
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

/*
 * The extent of a part, by its record of stack frames: unlike a function's record, it begins with a
 * frame that exists already.  The table of jumps to other files (.plt) has such a record, too.
 */
static const struct frame_function *recorded_part(const struct code *code, uint64_t address,
						  bool by_table)
{
	const struct frame_function *frame = frame_info__at(code->frames, address);
	const struct elf_file *file = code->file;
	struct frame_walk walk;
	struct frame_cfa cfa;

	if (!frame || (code->ranges[0].start >= frame->start && code->ranges[0].start < frame->end))
		return NULL;
	for (size_t i = 0; i < file->nr_sections; i++)
		if (address - file->sections[i].sh_addr < file->sections[i].sh_size &&
		    file->sections[i].sh_name < file->section_names_bytes &&
		    !strncmp(file->section_names + file->sections[i].sh_name, ".plt", 4))
			return NULL;
	if (by_table && !symbols__has_address(code->symbols, frame->start))
		return frame;
	frame_walk__init(&walk, code->frames, frame);
	cfa = frame_walk__cfa(&walk, frame->start);
	if (cfa.kind == FRAME_CFA_UNKNOWN || (cfa.kind == FRAME_CFA_REGISTER &&
					      cfa.reg == ARCH_ENTRY_CFA_REGISTER &&
					      cfa.offset == ARCH_ENTRY_CFA_OFFSET))
		return NULL;
	return frame;
}

uint64_t code__find_part(const struct code *code, uint64_t address, bool by_table,
			 uint64_t *start)
{
	const struct symbols *symbols = code->symbols;
	const struct fn_symbol *part = symbols__part_of(symbols, code->function, address);

	const struct frame_function *recorded;

	*start = part ? part->address : address;
	if (part)
		return part->size;
	recorded = recorded_part(code, address, by_table);
	if (recorded) {
		*start = recorded->start;
		return recorded->end - recorded->start;
	}
	if (symbols->has_locals || symbols__has_address(symbols, address))
		return 0;
	return measure_part(code, address, symbols__next_address(symbols, address));
}

int code__add_parts(struct code *code)
{
	/* The loop also visits the instructions that it adds: parts can jump to other parts. */
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i];
		uint64_t start, size;

		if ((insn->kind != CODE_JUMP && insn->kind != CODE_JUMP_COND) ||
		    code__range_of(code, insn->target))
			continue;
		size = code__find_part(code, insn->target, false, &start);
		if (size && code__add_range(code, start, size))
			return -1;
	}
	return 0;
}
