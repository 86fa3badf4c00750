// SPDX-License-Identifier: GPL-2.0
#include "lookup/frame_info.h"

#include "base/sort.h"
#include "lookup/frame_cie.h"
#include "lookup/frame_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"

#define MAX_FRAME_BYTES	(256u << 20)
/*
 * How many instructions a function may have, with those that it shares with others: compilers write some
 * tens, hostile files could have millions.
 */
#define MAX_INSTRUCTIONS	100000

static int compare_starts(const void *a, const void *b)
{
	const struct frame_function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int add_function(struct frame_info *info, size_t *room, struct frame_function function)
{
	if (info->nr == *room) {
		size_t more = *room ? 2 * *room : 256;
		struct frame_function *grown = realloc(info->all, more * sizeof(*grown));

		if (!grown)
			return -1;
		info->all = grown;
		*room = more;
	}
	info->all[info->nr++] = function;
	return 0;
}

/* Reads one record of the section, at this offset.  Its id was read: it is not a CIE. */
static int read_function(struct frame_info *info, size_t *room, uint64_t section,
			 struct reader in, uint32_t cie_offset)
{
	const uint8_t *data = info->bytes.data;
	struct frame_function function = { .cie = cie_offset };
	struct frame_cie cie;

	if (!frame_cie__read(&info->bytes, cie_offset, &cie))
		return -1;
	function.start = take_pointer(&in, cie.encoding, section + (in.at - data));
	function.end = function.start + take_pointer(&in, cie.encoding & 0x0f, 0);
	if (cie.has_augmentation_data) {
		uint64_t length = take_uleb(&in), place = section + (in.at - data);
		struct reader landing = in;

		if (cie.has_landing_pads)
			function.landing_table = take_pointer(&landing, cie.landing_encoding, place);
		if (!landing.at)
			function.landing_table = UINT64_MAX;
		else if (function.landing_table == place)
			function.landing_table = 0;	/* relative to itself: none */
		skip(&in, length);
	}
	if (!in.at)
		return -1;
	/* Linkers leave the records of functions that they removed. */
	if (function.end <= function.start)
		return 0;
	function.has_landing_pads = cie.has_landing_pads;
	function.program = in.at - data;
	function.program_end = in.end - data;
	return add_function(info, room, function);
}

int frame_info__read(struct frame_info *info, const struct elf_file *file)
{
	const Elf64_Shdr *section = elf_file__section(file, ".eh_frame");
	struct reader in;
	size_t room = 0;

	*info = (struct frame_info){ 0 };
	if (!section)
		return 0;
	if (elf_file__read_section(file, section, MAX_FRAME_BYTES, &info->bytes))
		return -1;
	in = (struct reader){ info->bytes.data, info->bytes.data + info->bytes.length };
	while (in.at < in.end) {
		uint32_t length = take(&in, 4), id;
		struct reader record = in;
		const uint8_t *id_at = in.at;

		if (!in.at)
			return -1;
		/* An end mark; each part of a linked file may have one. */
		if (!length)
			continue;
		skip(&in, length);
		if (!in.at || length < 4)
			return -1;
		record.end = in.at;
		id = take(&record, 4);
		if (id && (id > id_at - info->bytes.data ||
			   read_function(info, &room, section->sh_addr, record,
					 id_at - info->bytes.data - id)))
			return -1;
	}
	if (info->nr)
		sort(info->all, info->nr, sizeof(*info->all), compare_starts);
	return 0;
}

void frame_info__free(struct frame_info *info)
{
	free(info->bytes.data);
	free(info->all);
	*info = (struct frame_info){ 0 };
}

const struct frame_function *frame_info__at(const struct frame_info *info, uint64_t address)
{
	size_t next = partition_point(info->nr, i, info->all[i].start <= address);

	return next && address < info->all[next - 1].end ? &info->all[next - 1] : NULL;
}

static void define(struct frame_walk *walk, uint64_t reg, int64_t offset)
{
	walk->now = (struct frame_cfa){ FRAME_CFA_REGISTER, reg, offset };
	if (reg > 31)
		walk->now.kind = FRAME_CFA_UNKNOWN;
}

/* Executes one instruction of the rules.  Returns by how many bytes of code it advances. */
static uint64_t step(struct frame_walk *walk, struct reader *in)
{
	uint8_t op = take(in, 1);

	if (walk->executed++ > MAX_INSTRUCTIONS)
		in->at = NULL;
	switch (op >> 6) {
	case 1:
		return (op & 0x3f) * walk->code_align;
	case 2:
		take_uleb(in);
		return 0;
	case 3:
		return 0;
	}
	switch (op) {
	case 0x00:						/* nop */
		return 0;
	case 0x02: case 0x03: case 0x04:			/* advance_loc */
		return take(in, 1 << (op - 2)) * walk->code_align;
	case 0x06: case 0x07: case 0x08: case 0x2e:		/* of one register */
		take_uleb(in);
		return 0;
	case 0x05: case 0x09: case 0x14: case 0x2f: case 0x11: case 0x15:
		take_uleb(in);
		take_uleb(in);
		return 0;
	case 0x0a:						/* remember_state */
		if (walk->nr_remembered < FRAME_STATES)
			walk->remembered[walk->nr_remembered] = walk->now;
		walk->nr_remembered++;
		return 0;
	case 0x0b:						/* restore_state */
		if (walk->nr_remembered && --walk->nr_remembered < FRAME_STATES)
			walk->now = walk->remembered[walk->nr_remembered];
		else
			walk->now.kind = FRAME_CFA_UNKNOWN;
		return 0;
	case 0x0c: {						/* def_cfa */
		uint64_t reg = take_uleb(in);

		define(walk, reg, take_uleb(in));
		return 0;
	}
	case 0x12: {						/* def_cfa_sf */
		uint64_t reg = take_uleb(in);

		define(walk, reg, take_sleb(in) * (uint64_t)walk->data_align);
		return 0;
	}
	case 0x0d:						/* def_cfa_register */
		define(walk, take_uleb(in), walk->now.offset);
		return 0;
	case 0x0e:						/* def_cfa_offset */
		walk->now.offset = take_uleb(in);
		return 0;
	case 0x13:						/* def_cfa_offset_sf */
		walk->now.offset = take_sleb(in) * (uint64_t)walk->data_align;
		return 0;
	case 0x0f:						/* def_cfa_expression */
		walk->now.kind = FRAME_CFA_EXPRESSION;
		skip(in, take_uleb(in));
		return 0;
	case 0x10: case 0x16:					/* a register's expression */
		take_uleb(in);
		skip(in, take_uleb(in));
		return 0;
	default:
		in->at = NULL;
		return 0;
	}
}

void frame_walk__init(struct frame_walk *walk, const struct frame_info *info,
		      const struct frame_function *function)
{
	struct frame_cie cie;

	*walk = (struct frame_walk){ .info = info };
	if (!frame_cie__read(&info->bytes, function->cie, &cie))
		return;
	walk->code_align = cie.code_align;
	walk->data_align = cie.data_align;
	while (cie.program.at && cie.program.at < cie.program.end)
		step(walk, &cie.program);
	if (!cie.program.at)
		walk->now.kind = FRAME_CFA_UNKNOWN;
	walk->address = function->start;
	walk->at = info->bytes.data + function->program;
	walk->end = info->bytes.data + function->program_end;
}

struct frame_cfa frame_walk__cfa(struct frame_walk *walk, uint64_t address)
{
	struct reader in = { walk->at, walk->end };

	while (in.at && in.at < in.end) {
		const uint8_t *before = in.at;
		uint64_t advance = step(walk, &in);

		if (advance && walk->address + advance > address) {
			in.at = before;
			break;
		}
		walk->address += advance;
	}
	if (!in.at)
		walk->now.kind = FRAME_CFA_UNKNOWN;
	walk->at = in.at;
	return walk->now;
}
