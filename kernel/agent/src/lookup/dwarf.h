/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the entries of a file's debug information (DWARF 2 to 5), one after the other, as far as
 * the names of functions need them.  No offset or length in it is trusted.
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
	struct dwarf_abbreviation *table;	/* of the current unit, by code */
	size_t nr_table;
	struct dwarf_form *forms;
	size_t nr_forms, room_forms;
	uint64_t table_offset;
	uint64_t deadline_ns, steps;	/* counted so that the clock is not read at each step */
	/* The current unit, which contains at. */
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
	uint64_t origin;	/* the entry that this one instantiates or completes; or 0 */
	bool is_inlined;	/* DW_AT_inline says so */
};

/* Returns 0, or -1 if there is no debug information that can be read.  Free in both cases. */
int dwarf__read(struct dwarf *dwarf, const struct elf_file *file);
void dwarf__free(struct dwarf *dwarf);

/* Begins again at the first entry, with one second of CPU time. */
void dwarf__rewind(struct dwarf *dwarf);
/* The next entry of any kind; false at the end, where it is not understood, or after that time. */
bool dwarf__next(struct dwarf *dwarf, struct dwarf_entry *entry);
/* The entry at an offset, which must be in the current unit; false if it is elsewhere. */
bool dwarf__at(struct dwarf *dwarf, uint64_t offset, struct dwarf_entry *entry);

#endif
