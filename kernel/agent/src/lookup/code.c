// SPDX-License-Identifier: GPL-2.0
#include "arch/insn.h"
#include "lookup/code.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/partition_point.h"

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

/* The instruction that contains this address, or NULL. */
static const struct code_insn *insn_around(const struct code *code, uint64_t address)
{
	const struct code_range *range = code__range_of(code, address);
	const struct code_insn *insns, *last;
	size_t next;

	if (!range)
		return NULL;
	insns = code->insns + range->first_insn;
	next = partition_point(range->nr_insns, i, insns[i].address <= address);
	last = next ? &insns[next - 1] : NULL;
	return last && address < last->address + last->length ? last : NULL;
}

const struct code_insn *code__insn_at(const struct code *code, uint64_t address)
{
	const struct code_insn *insn = insn_around(code, address);

	return insn && insn->address == address ? insn : NULL;
}

const uint8_t *code__bytes(const struct code *code, uint64_t address, size_t *left)
{
	const struct code_range *range = code__range_of(code, address);

	*left = 0;
	if (!range)
		return NULL;
	*left = range->end - address;
	return range->bytes.data + (address - range->start);
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
		struct code_insn *to = new_insn(code);
		const uint8_t *bytes;
		size_t left;

		if (!to)
			return give_up(code, "There is no memory to examine it.");
		to->address = address;
		bytes = code__bytes(code, address, &left);
		if (!insn__decode(to, bytes, left))
			return give_up(code, "It contains bytes that are no instructions (at +0x%"
				PRIx64 ").", address - code->ranges[0].start);
		if (!insn__is_sound(code, to, bytes))
			return give_up(code, "It keeps data among its instructions (read at +0x%"
				PRIx64 ").", address - code->ranges[0].start);
		address += to->length;
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

static bool skips_prefix(const struct code *code, const struct code_insn *insn, uint64_t target)
{
	size_t left;

	return target == insn->address + 1 &&
	       insn__has_optional_prefix(insn, code__bytes(code, insn->address, &left));
}

static int check_targets(struct code *code)
{
	for (size_t i = 0; i < code->nr_insns; i++) {
		const struct code_insn *insn = &code->insns[i], *at;

		if (insn->kind != CODE_JUMP && insn->kind != CODE_JUMP_COND &&
		    insn->kind != CODE_LOOP)
			continue;
		at = insn_around(code, insn->target);
		if (at && at->address != insn->target && !skips_prefix(code, at, insn->target))
			return give_up(code, "It jumps into the middle of an instruction (at +0x%"
				PRIx64 ").", insn->address - code->ranges[0].start);
		if (!at && insn->kind == CODE_LOOP)
			return give_up(code,
				"It leaves through a jump that no probe can follow (at +0x%" PRIx64
				").", insn->address - code->ranges[0].start);
	}
	return 0;
}

/* If execution can go on after the last instruction, it runs into another function. */
static int check_ends(struct code *code)
{
	for (size_t i = 0; i < code->nr_ranges; i++) {
		const struct code_range *range = &code->ranges[i];
		size_t last = range->first_insn + range->nr_insns;

		while (last > range->first_insn && code->insns[last - 1].kind == CODE_PADDING)
			last--;
		/*
		 * A part may go on in the next one, or end at a place that the compiler knows to be
		 * unreachable.
		 */
		if (i || code__range_of(code, range->end))
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

static const uint8_t *bytes_of(const void *of, size_t index, size_t *left)
{
	const struct code *code = of;

	return code__bytes(code, code->insns[index].address, left);
}

/* Repeated whenever a table leads to a part of the function to which no other jump leads. */
static int find_tables(struct code *code)
{
	do {
		code->new_part = 0;
		flow__free(&code->flow);
		for (size_t i = 0; i < code->nr_insns; i++) {
			struct code_insn *insn = &code->insns[i];

			if (insn->kind != CODE_JUMP_REG && insn->kind != CODE_JUMP_MEM)
				continue;
			if (!code->flow.insns &&
			    flow__init(&code->flow, code->insns, code->nr_insns, bytes_of, code))
				return give_up(code, "There is no memory to examine it.");
			insn->table = insn__table_of(code, i);
		}
		if (!code->new_part)
			return 0;
		if (code__add_range(code, code->new_part, code->new_part_bytes) ||
		    code__add_parts(code))
			return -1;
	} while (true);
}

int code__read(struct code *code, struct elf_file *file, const struct symbols *symbols,
	       const struct frame_info *frames, const struct fn_symbol *function, uint64_t size)
{
	memset(code, 0, sizeof(*code));
	code->file = file;
	code->symbols = symbols;
	code->frames = frames;
	code->function = function->name;
	if (code__add_range(code, function->address, size) || code__add_parts(code) ||
	    find_tables(code))
		return -1;
	return check_targets(code) || check_ends(code) ? -1 : 0;
}

void code__free(struct code *code)
{
	for (size_t i = 0; i < code->nr_ranges; i++)
		free(code->ranges[i].bytes.data);
	free(code->insns);
	flow__free(&code->flow);
	memset(code, 0, sizeof(*code));
}
