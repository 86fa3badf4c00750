/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The entries of a file's debug information (DWARF 2 to 5), one after the other: as much of it
 * as names of functions take.  No offset or length in it is trusted.
 */
#ifndef KVIEW_DWARF_H
#define KVIEW_DWARF_H

#include "lookup/elf_file.h"

#define DW_TAG_INLINED_SUBROUTINE 0x1d
#define DW_TAG_SUBPROGRAM 0x2e

struct dwarf_abbreviation;
struct dwarf_form;

struct dwarf {
	struct elf_bytes info, abbreviations, strings, line_strings, offsets;
	struct dwarf_abbreviation *table;	/* of the unit that was met last, by code */
	size_t nr_table;
	struct dwarf_form *forms;
	size_t nr_forms, room_forms;
	uint64_t table_offset;
	uint64_t deadline_ns, steps;	/* steps: so that the time is not asked at each */
	/* The unit that at is in. */
	uint64_t unit, unit_end, at, strings_base;
	unsigned int version, address_bytes, offset_bytes;
	int depth;
};

/* One entry, as far as it concerns functions. */
struct dwarf_entry {
	uint64_t offset;
	uint32_t tag;
	int depth;
	const char *name, *linkage_name;	/* NULL: none */
	uint64_t origin;	/* the entry that it is an instance of, or completes; 0: none */
	bool is_inlined;	/* DW_AT_inline says so */
};

/* Returns 0, or -1 where there is none that can be read; free either way. */
int dwarf__read(struct dwarf *dwarf, const struct elf_file *file);
void dwarf__free(struct dwarf *dwarf);

/* From the first entry on; it has a second of the processor's time. */
void dwarf__rewind(struct dwarf *dwarf);
/* The next one, of any kind; false at the end, at what is not understood, or after that time. */
bool dwarf__next(struct dwarf *dwarf, struct dwarf_entry *entry);
/* The entry at an offset, of the unit of the one that was met last; false if it is elsewhere. */
bool dwarf__at(struct dwarf *dwarf, uint64_t offset, struct dwarf_entry *entry);

#endif
