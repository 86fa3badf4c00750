// SPDX-License-Identifier: GPL-2.0
#include "decide/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookup/static_probes.h"

#define MAX_FILE_BYTES (1u << 30)
#define SPARE 16
#define MAX_TABLE_ENTRIES 65536

static int refuse(struct targets *targets, const char *reason)
{
	snprintf(targets->reason, sizeof(targets->reason), "%s", reason);
	return -1;
}

const struct target_range *targets__range_of(const struct targets *targets, uint64_t address)
{
	for (size_t i = 0; i < targets->nr_ranges; i++)
		if (address >= targets->ranges[i].start && address < targets->ranges[i].end)
			return &targets->ranges[i];
	return NULL;
}

static uint8_t *kind_of(const struct targets *targets, uint64_t address)
{
	const struct target_range *range = targets__range_of(targets, address);

	return range && range->kinds ? &range->kinds[address - range->start] : NULL;
}

uint8_t targets__at(const struct targets *targets, uint64_t address)
{
	const uint8_t *kind = kind_of(targets, address);

	return kind ? *kind : 0;
}

uint8_t targets__within(const struct targets *targets, uint64_t start, uint64_t end)
{
	uint8_t kinds = 0;

	for (uint64_t at = start; at < end; at++)
		kinds |= targets__at(targets, at);
	return kinds;
}

const char *targets__what(uint8_t kinds)
{
	return kinds & TARGET_START ? "where code of its own begins" :
	       kinds & TARGET_LANDING ? "where exceptions go on" :
	       kinds & TARGET_JUMP ? "by a jump" :
	       kinds & TARGET_TABLE ? "by a table of jumps" :
	       kinds & TARGET_ADDRESS ? "by its address" :
	       kinds & TARGET_WATCHED ? "by a static probe" : "by nothing";
}

void targets__mark(struct targets *targets, uint64_t address, enum target_kind kind)
{
	uint8_t *to = kind_of(targets, address);

	if (to)
		*to |= kind;
}

void targets__mark_table(struct targets *targets, uint64_t table)
{
	const struct target_range *range = targets__range_of(targets, table);

	for (size_t i = 0; range && i < MAX_TABLE_ENTRIES; i++) {
		uint64_t at = table + i * sizeof(int32_t);
		int32_t offset;

		if (at >= range->end || range->end - at < sizeof(offset))
			return;
		memcpy(&offset, range->bytes + (at - range->start), sizeof(offset));
		if (!kind_of(targets, table + offset))
			return;
		targets__mark(targets, table + offset, TARGET_TABLE);
	}
}

static int read_ranges(struct targets *targets, const struct elf_file *file)
{
	uint64_t total = 0;

	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		struct target_range *range = &targets->ranges[targets->nr_ranges];

		if (segment->p_type != PT_LOAD || !segment->p_filesz)
			continue;
		total += segment->p_filesz;
		if (targets->nr_ranges == TARGETS_MAX_RANGES || total > MAX_FILE_BYTES ||
		    segment->p_vaddr + segment->p_filesz < segment->p_vaddr)
			return refuse(targets, "Its file is too large to be searched for jumps.");
		*range = (struct target_range){
			.start = segment->p_vaddr,
			.end = segment->p_vaddr + segment->p_filesz,
			.bytes = calloc(1, segment->p_filesz + SPARE),
			.kinds = segment->p_flags & PF_X ? calloc(1, segment->p_filesz) : NULL,
		};
		targets->nr_ranges++;
		if (!range->bytes || (segment->p_flags & PF_X && !range->kinds))
			return refuse(targets, "There is no memory to search its file for jumps.");
		if (!elf_file__read_at(file, range->start, range->bytes, segment->p_filesz))
			return refuse(targets, "Its file can't be read whole.");
	}
	return 0;
}

/* Pointers in data; also those that are only relocated when the file is loaded, as their values stand in it. */
static void mark_pointers(struct targets *targets, const struct target_range *range)
{
	uint64_t first = (8 - range->start % 8) % 8;

	for (uint64_t at = first; at + 8 <= range->end - range->start; at += 8) {
		uint64_t value;

		memcpy(&value, range->bytes + at, sizeof(value));
		targets__mark(targets, value, TARGET_ADDRESS);
	}
}

static void mark_relocations(struct targets *targets, struct elf_file *file)
{
	uint64_t ignored;

	/* They are read when first needed. */
	elf_file__relocated(file, 0, &ignored);
	for (size_t i = 0; i < file->nr_relative; i++)
		targets__mark(targets, file->relative[i].value, TARGET_ADDRESS);
}

static bool has_section(const struct elf_file *file, const char *prefix)
{
	for (size_t i = 0; i < file->nr_sections; i++)
		if (file->sections[i].sh_name < file->section_names_bytes &&
		    !strncmp(file->section_names + file->sections[i].sh_name, prefix, strlen(prefix)))
			return true;
	return false;
}

static bool has_segment(const struct elf_file *file, uint32_t type)
{
	for (size_t i = 0; i < file->nr_segments; i++)
		if (file->segments[i].p_type == type)
			return true;
	return false;
}

/* By the file's notes. */
static bool mark_static_probes(struct targets *targets, const struct elf_file *file)
{
	uint64_t *places;
	size_t nr;

	if (!static_probes__places(file, &places, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		targets__mark(targets, places[i], TARGET_WATCHED);
	free(places);
	return true;
}

int targets__find(struct targets *targets, struct elf_file *file, const struct symbols *symbols,
		  const struct frame_info *frames)
{
	*targets = (struct targets){ .is_fixed = file->header.e_type == ET_EXEC };
	if (has_segment(file, PT_GNU_EH_FRAME) && !frames->nr)
		return refuse(targets, "It is not known where exceptions go on in its file.");
	if (!file->nr_sections)
		return refuse(targets, "Its file has no table of sections, so not all that leads into its code is known.");
	if (elf_file__has_text_relocations(file))
		return refuse(targets, "Its code is changed when it is loaded (DT_TEXTREL).");
	if (read_ranges(targets, file))
		return -1;
	targets->has_restartable = has_section(file, "__rseq_cs");
	targets__mark(targets, file->header.e_entry, TARGET_START);
	for (size_t i = 0; i < symbols->nr; i++)
		targets__mark(targets, symbols->all[i].address, TARGET_START);
	for (size_t i = 0; i < frames->nr; i++)
		targets__mark(targets, frames->all[i].start, TARGET_START);
	if (!mark_static_probes(targets, file))
		return refuse(targets, "There is no memory to search its file for static probes.");
	for (size_t i = 0; i < targets->nr_ranges; i++)
		mark_pointers(targets, &targets->ranges[i]);
	mark_relocations(targets, file);
	for (size_t i = 0; i < targets->nr_ranges; i++)
		if (targets->ranges[i].kinds)
			targets__scan(targets, &targets->ranges[i]);
	for (size_t i = 0; i < frames->nr; i++)
		if (!targets__mark_landings(targets, &frames->all[i]))
			return refuse(targets, "Where exceptions go on in its file is written in a form that is not understood.");
	return 0;
}

void targets__free(struct targets *targets)
{
	for (size_t i = 0; i < targets->nr_ranges; i++) {
		free(targets->ranges[i].bytes);
		free(targets->ranges[i].kinds);
	}
	targets->nr_ranges = 0;
}
