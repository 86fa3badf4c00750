// SPDX-License-Identifier: GPL-2.0
#include "lookup/stack_proof.h"

#include <stdlib.h>
#include <string.h>

#include "arch/x86_64/code_region.h"
#include "arch/x86_64/return_slot.h"
#include "base/partition_point.h"
#include "base/sort.h"

#define MAX_SECTIONS 64
#define MAX_CODE_BYTES (512u << 20)
#define MAX_STUBS 64

struct section {
	uint64_t start, end;
	struct elf_bytes bytes;
	uint8_t *begins, *targets;	/* a bit for each byte: of instructions, of jumps' targets */
	bool is_linkage;
};

/* A conclusion that is valid only if nothing jumps to an address from first to last. */
struct condition {
	uint64_t first, last;
	const char *doubt;
};

struct stub {
	uint64_t address;
	const struct checked_slot *slot;
};

struct examination {
	struct stack_proof *proof;
	const struct frame_info *frames;
	const struct imports *imports;
	struct section sections[MAX_SECTIONS];
	size_t nr_sections;
	struct stub stubs[MAX_STUBS];
	size_t nr_stubs;
	struct condition *conditions;
	size_t nr_conditions;
	uint64_t *borders;		/* where an instruction surely begins, ascending */
	size_t nr_borders;
	struct code_region region;
};

static int doubt(struct examination *ex, uint64_t address, const char *what)
{
	ex->proof->address = address;
	ex->proof->doubt = what;
	return 1;
}

static bool bit(const uint8_t *bits, uint64_t at)
{
	return bits[at / 8] >> at % 8 & 1;
}

static void set_bit(uint8_t *bits, uint64_t at)
{
	bits[at / 8] |= 1 << at % 8;
}

static int load_sections(struct examination *ex, const struct elf_file *file)
{
	uint64_t total = 0;

	for (size_t i = 0; i < file->nr_sections; i++) {
		const Elf64_Shdr *header = &file->sections[i];
		struct section *section = &ex->sections[ex->nr_sections];
		uint64_t bytes = header->sh_size;

		if (!(header->sh_flags & SHF_EXECINSTR) || !(header->sh_flags & SHF_ALLOC) || !bytes)
			continue;
		total += bytes;
		if (ex->nr_sections == MAX_SECTIONS || total > MAX_CODE_BYTES)
			return doubt(ex, 0, "has more code than is examined");
		if (header->sh_flags & SHF_WRITE)
			return doubt(ex, header->sh_addr, "can change its own code");
		if (header->sh_addr + bytes < header->sh_addr ||
		    elf_file__read_section(file, header, MAX_CODE_BYTES, &section->bytes))
			return doubt(ex, header->sh_addr, "has code that can't be read");
		ex->nr_sections++;
		section->start = header->sh_addr;
		section->end = header->sh_addr + bytes;
		section->begins = calloc(bytes / 8 + 1, 1);
		section->targets = calloc(bytes / 8 + 1, 1);
		if (!section->begins || !section->targets)
			return -1;
		section->is_linkage = header->sh_name < file->section_names_bytes &&
			!strncmp(file->section_names + header->sh_name, ".plt", 4);
	}
	return ex->nr_sections ? 0 : doubt(ex, 0, "does not tell which of its bytes are code");
}

static struct section *section_of(struct examination *ex, uint64_t address)
{
	for (size_t i = 0; i < ex->nr_sections; i++)
		if (address >= ex->sections[i].start && address < ex->sections[i].end)
			return &ex->sections[i];
	return NULL;
}

static int compare_addresses(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int find_borders(struct examination *ex, const uint64_t *starts, size_t nr_starts)
{
	const struct frame_info *frames = ex->frames;
	size_t nr = 0;

	ex->borders = malloc((2 * frames->nr + nr_starts + ex->nr_sections) * sizeof(uint64_t));
	if (!ex->borders)
		return -1;
	for (size_t i = 0; i < frames->nr; i++) {
		ex->borders[nr++] = frames->all[i].start;
		ex->borders[nr++] = frames->all[i].end;
	}
	memcpy(ex->borders + nr, starts, nr_starts * sizeof(uint64_t));
	nr += nr_starts;
	for (size_t i = 0; i < ex->nr_sections; i++)
		ex->borders[nr++] = ex->sections[i].end;
	sort(ex->borders, nr, sizeof(uint64_t), compare_addresses);
	ex->nr_borders = nr;
	return 0;
}

/* Finds the entries of the table of jumps to imported functions that lead to checked ones. */
static void find_stubs(struct examination *ex, const struct section *section)
{
	uint64_t begins = section->start;

	for (uint64_t at = section->start; at < section->end; ) {
		const uint8_t *bytes = section->bytes.data + (at - section->start);
		const struct checked_slot *slot;
		ZydisDecodedInstruction insn;

		if (!insn__decode_full(bytes, section->end - at, &insn, NULL))
			break;
		if (insn.mnemonic == ZYDIS_MNEMONIC_ENDBR64) {
			begins = at;
		} else if (insn.mnemonic == ZYDIS_MNEMONIC_JMP && insn.opcode == 0xff) {
			slot = imports__slot(ex->imports, insn__relative_address(&insn, at));
			for (int k = 0; slot && k < 2 && ex->nr_stubs < MAX_STUBS; k++)
				ex->stubs[ex->nr_stubs++] = (struct stub){ k ? begins : at, slot };
			begins = at + insn.length;
		} else {
			begins = at + insn.length;
		}
		at += insn.length;
	}
}

static const struct checked_slot *stub_at(const struct examination *ex, uint64_t address)
{
	for (size_t i = 0; i < ex->nr_stubs; i++)
		if (ex->stubs[i].address == address)
			return ex->stubs[i].slot;
	return NULL;
}

static int add_condition(struct examination *ex, uint64_t first, uint64_t last, const char *what)
{
	struct condition *grown;

	grown = realloc(ex->conditions, (ex->nr_conditions + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	ex->conditions = grown;
	grown[ex->nr_conditions++] = (struct condition){ first, last, what };
	return 0;
}

/* Checks a call of a function that is harmless with certain arguments only. */
static int check_call(struct examination *ex, size_t index, const struct checked_slot *slot)
{
	const struct code_region *region = &ex->region;
	uint64_t address = region->start + region->insns[index].offset, argument, from;
	bool is_system_call = slot->call == CHECKED_SYSTEM_CALL || slot->call == CHECKED_PRCTL;
	const char *what = slot->call == CHECKED_PRCTL ? "may have its system calls dispatched to itself" :
			   is_system_call ? "makes a system call that can't be told" :
					    "may make code as it runs";

	if (!code_region__constant(region, index, is_system_call ? 7 : 2, &argument, &from) ||
	    !checked_call__allows(slot->call, argument))
		return doubt(ex, address, what);
	ex->proof->sets_filters |= checked_call__filters(slot->call, argument);
	return add_condition(ex, from, address, what);
}

static bool is_direct(const ZydisDecodedInstruction *insn)
{
	return insn->raw.imm[0].is_relative;
}

static int decode_region(struct examination *ex, struct section *section, uint64_t start,
			 uint64_t end)
{
	struct code_region *region = &ex->region;
	size_t filled = end - start;
	uint32_t at = 0;

	region->start = start;
	region->bytes = section->bytes.data + (start - section->start);
	region->length = end - start;
	region->nr = 0;
	/* Sections are padded with zeros. */
	while (filled && !region->bytes[filled - 1])
		filled--;
	while (at < filled) {
		ZydisDecodedInstruction insn;
		uint64_t target;

		if (!insn__decode_full(region->bytes + at, region->length - at, &insn, NULL))
			return doubt(ex, start + at, "has bytes among its code that are no instructions");
		if (region->nr == region->room) {
			size_t room = region->room ? 2 * region->room : 4096;
			struct region_insn *grown = realloc(region->insns, room * sizeof(*grown));

			if (!grown)
				return -1;
			region->insns = grown;
			region->room = room;
		}
		region->insns[region->nr++] = (struct region_insn){
			.offset = at, .length = insn.length,
			.ends_block = insn.meta.category == ZYDIS_CATEGORY_RET ||
				      insn.meta.category == ZYDIS_CATEGORY_UNCOND_BR,
			.calls = insn.meta.category == ZYDIS_CATEGORY_CALL,
		};
		set_bit(section->begins, start + at - section->start);
		if (is_direct(&insn)) {
			struct section *other;

			target = start + at + insn.length + insn.raw.imm[0].value.s;
			other = target >= section->start && target < section->end ? section :
				section_of(ex, target);
			if (other)
				set_bit(other->targets, target - other->start);
		}
		at += insn.length;
	}
	return 0;
}

/* Checks whether and how an instruction uses the address of a checked function. */
static int check_uses(struct examination *ex, size_t index, const ZydisDecodedInstruction *insn)
{
	uint64_t address = ex->region.start + ex->region.insns[index].offset;
	const struct checked_slot *slot;

	if (is_direct(insn)) {
		slot = stub_at(ex, address + insn->length + insn->raw.imm[0].value.s);
		return slot ? check_call(ex, index, slot) : 0;
	}
	slot = imports__slot(ex->imports, insn__relative_address(insn, address));
	if (!slot)
		return 0;
	if (insn->opcode == 0xff && (insn->raw.modrm.reg == 2 || insn->raw.modrm.reg == 4))
		return check_call(ex, index, slot);
	return doubt(ex, address, "passes on a function that can make code, or any system call");
}

static int examine_region(struct examination *ex, struct section *section, uint64_t start,
			  uint64_t end)
{
	struct code_region *region = &ex->region;
	const struct frame_function *frame = frame_info__at(ex->frames, start);
	int err = decode_region(ex, section, start, end);

	if (err)
		return err;
	region->keeps_frame = -1;
	region->effort = 0;
	region->has_walk = frame != NULL;
	if (frame)
		frame_walk__init(&region->walk, ex->frames, frame);
	for (size_t i = 0; i < region->nr; i++) {
		uint32_t at = region->insns[i].offset;
		struct stack_effect effect;
		ZydisDecodedInstruction insn;
		const char *what;

		if (!insn__decode_full(region->bytes + at, region->length - at, &insn, NULL))
			return -1;
		effect = insn__stack_effect(region->bytes + at, region->length - at, &insn);
		what = code_region__doubt(region, i, &effect);
		if (what)
			return doubt(ex, start + at, what);
		code_region__note_returns(region, i, &insn, ex->proof);
		if (ex->imports->nr_slots && !section->is_linkage) {
			err = check_uses(ex, i, &insn);
			if (err)
				return err;
		}
	}
	return 0;
}

static int examine_section(struct examination *ex, struct section *section)
{
	uint64_t start = section->start;
	size_t next = partition_point(ex->nr_borders, i, ex->borders[i] <= start);

	for (; next < ex->nr_borders && start < section->end; next++) {
		int err;

		if (ex->borders[next] == start)
			continue;
		err = examine_region(ex, section, start, ex->borders[next] < section->end ?
				     ex->borders[next] : section->end);
		if (err)
			return err;
		start = ex->borders[next];
	}
	return 0;
}

/* Checks that all jumps lead to decoded instructions, so that nothing else is executed. */
static int check_targets(struct examination *ex)
{
	for (size_t i = 0; i < ex->nr_sections; i++) {
		const struct section *section = &ex->sections[i];
		uint64_t bytes = section->end - section->start;

		for (uint64_t k = 0; k <= bytes / 8; k++) {
			uint8_t wrong = section->targets[k] & ~section->begins[k];

			for (uint64_t at = 8 * k; wrong; wrong >>= 1, at++)
				/* A jump may skip a lock prefix, for a single thread. */
				if (wrong & 1 && !(at && section->bytes.data[at - 1] == 0xf0 &&
						   bit(section->begins, at - 1)))
					return doubt(ex, section->start + at,
						     "jumps into the middle of an instruction");
		}
	}
	for (size_t i = 0; i < ex->nr_conditions; i++) {
		const struct condition *condition = &ex->conditions[i];
		const struct section *section = section_of(ex, condition->last);

		for (uint64_t at = condition->first; section && at <= condition->last; at++)
			if (bit(section->targets, at - section->start))
				return doubt(ex, condition->last, condition->doubt);
	}
	return 0;
}

int stack_proof__examine(struct stack_proof *proof, const struct elf_file *file,
			 const uint64_t *starts, size_t nr_starts, const struct frame_info *frames,
			 const struct imports *imports)
{
	struct examination *ex = calloc(1, sizeof(*ex));
	int err = -1;

	*proof = (struct stack_proof){ 0 };
	if (!ex)
		return -1;
	ex->proof = proof;
	ex->frames = frames;
	ex->imports = imports;
	err = load_sections(ex, file);
	if (!err)
		err = find_borders(ex, starts, nr_starts);
	for (size_t i = 0; i < ex->nr_sections && !err; i++)
		if (ex->sections[i].is_linkage)
			find_stubs(ex, &ex->sections[i]);
	for (size_t i = 0; i < ex->nr_sections && !err; i++)
		err = examine_section(ex, &ex->sections[i]);
	if (!err)
		err = check_targets(ex);
	proof->is_one_stack = !err;
	for (size_t i = 0; i < ex->nr_sections; i++) {
		free(ex->sections[i].bytes.data);
		free(ex->sections[i].begins);
		free(ex->sections[i].targets);
	}
	free(ex->borders);
	free(ex->conditions);
	free(ex->region.insns);
	free(ex);
	return err < 0 ? -1 : 0;
}
