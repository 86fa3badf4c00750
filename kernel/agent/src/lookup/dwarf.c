// SPDX-License-Identifier: GPL-2.0
#include "lookup/dwarf.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_CODES 65536
#define MAX_FORMS (1u << 20)
#define READING_NS 1000000000ull
#define STEPS_PER_LOOK 1024
#define MAX_NAME_BYTES 4096

enum {
	AT_NAME = 0x03, AT_INLINE = 0x20, AT_ABSTRACT_ORIGIN = 0x31, AT_SPECIFICATION = 0x47,
	AT_LINKAGE_NAME = 0x6e, AT_STRING_OFFSETS_BASE = 0x72, AT_MIPS_LINKAGE_NAME = 0x2007,
};

enum {
	FORM_ADDR = 0x01, FORM_BLOCK2 = 0x03, FORM_BLOCK4, FORM_DATA2, FORM_DATA4, FORM_DATA8,
	FORM_STRING, FORM_BLOCK, FORM_BLOCK1, FORM_DATA1, FORM_FLAG, FORM_SDATA, FORM_STRP,
	FORM_UDATA, FORM_REF_ADDR, FORM_REF1, FORM_REF2, FORM_REF4, FORM_REF8, FORM_REF_UDATA,
	FORM_INDIRECT, FORM_SEC_OFFSET, FORM_EXPRLOC, FORM_FLAG_PRESENT, FORM_STRX, FORM_ADDRX,
	FORM_REF_SUP4, FORM_STRP_SUP, FORM_DATA16, FORM_LINE_STRP, FORM_REF_SIG8,
	FORM_IMPLICIT_CONST, FORM_LOCLISTX, FORM_RNGLISTX, FORM_REF_SUP8, FORM_STRX1, FORM_STRX2,
	FORM_STRX3, FORM_STRX4, FORM_ADDRX1, FORM_ADDRX2, FORM_ADDRX3, FORM_ADDRX4,
	FORM_GNU_REF_ALT = 0x1f20, FORM_GNU_STRP_ALT = 0x1f21,
};

struct dwarf_abbreviation {
	uint32_t tag;		/* 0: no abbreviation has this code */
	uint32_t first, nr;	/* in forms */
	bool has_children;
};

struct dwarf_form {
	uint32_t attribute, form;
	uint64_t constant;
};

/* Reads forward.  Once it has read beyond the end it is bad, and all further values are 0. */
struct cursor {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t fixed(struct cursor *c, size_t bytes)
{
	uint64_t value = 0;

	if (c->bad || (size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		return 0;
	}
	for (size_t i = 0; i < bytes && i < 8; i++)
		value |= (uint64_t)c->at[i] << 8 * i;
	c->at += bytes;
	return value;
}

static uint64_t variable(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; !c->bad && shift < 70; shift += 7) {
		uint8_t byte = fixed(c, 1);

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	c->bad = true;
	return 0;
}

static void skip(struct cursor *c, uint64_t bytes)
{
	if (c->bad || bytes > (uint64_t)(c->end - c->at))
		c->bad = true;
	else
		c->at += bytes;
}

static const char *text(struct cursor *c)
{
	const char *start = (const char *)c->at;
	const uint8_t *end = c->bad ? NULL : memchr(c->at, 0, c->end - c->at);

	c->bad |= !end;
	if (end)
		c->at = end + 1;
	return end && end - (const uint8_t *)start < MAX_NAME_BYTES ? start : NULL;
}

/* Sections are followed by a 0, see struct elf_bytes.  Very long texts are not taken for names. */
static const char *text_at(const struct elf_bytes *section, uint64_t offset)
{
	const char *text = offset < section->length ? (const char *)section->data + offset : NULL;

	return text && strnlen(text, MAX_NAME_BYTES) < MAX_NAME_BYTES ? text : NULL;
}

static uint64_t used_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void dwarf__rewind(struct dwarf *dwarf)
{
	if (!dwarf->table)
		dwarf->table = calloc(MAX_CODES, sizeof(*dwarf->table));
	/* Without memory, reading begins at the end. */
	dwarf->unit = dwarf->unit_end = dwarf->at = dwarf->table ? 0 : dwarf->info.length;
	dwarf->depth = 0;
	dwarf->table_offset = UINT64_MAX;
	dwarf->deadline_ns = used_ns() + READING_NS;
}

static int add_form(struct dwarf *dwarf, struct dwarf_form form)
{
	if (dwarf->nr_forms == dwarf->room_forms) {
		size_t room = dwarf->room_forms ? 2 * dwarf->room_forms : 4096;
		struct dwarf_form *grown = room > MAX_FORMS ? NULL :
			realloc(dwarf->forms, room * sizeof(*grown));

		if (!grown)
			return -1;
		dwarf->forms = grown;
		dwarf->room_forms = room;
	}
	dwarf->forms[dwarf->nr_forms++] = form;
	return 0;
}

/* Counts these steps, and returns whether the time is over. */
static bool is_over(struct dwarf *dwarf, size_t steps)
{
	dwarf->steps += steps;
	if (dwarf->steps < STEPS_PER_LOOK)
		return false;
	dwarf->steps = 0;
	return used_ns() > dwarf->deadline_ns;
}

/* Reads the abbreviations, which say what a unit's entries consist of. */
static int read_table(struct dwarf *dwarf, uint64_t offset)
{
	struct cursor c = { dwarf->abbreviations.data + offset,
			    dwarf->abbreviations.data + dwarf->abbreviations.length, false };

	if (offset == dwarf->table_offset)
		return 0;
	if (offset >= dwarf->abbreviations.length)
		return -1;
	if (is_over(dwarf, 1 + dwarf->nr_table / 64))
		return -1;
	memset(dwarf->table, 0, dwarf->nr_table * sizeof(*dwarf->table));
	dwarf->nr_table = dwarf->nr_forms = 0;
	dwarf->table_offset = offset;
	for (;;) {
		uint64_t code = variable(&c);
		struct dwarf_abbreviation entry = { .first = dwarf->nr_forms };

		if (!code || c.bad)
			break;
		entry.tag = variable(&c);
		entry.has_children = fixed(&c, 1);
		for (;;) {
			struct dwarf_form form = { .attribute = variable(&c) };

			form.form = variable(&c);
			if (form.form == FORM_IMPLICIT_CONST)
				form.constant = variable(&c);
			if (c.bad || (!form.attribute && !form.form))
				break;
			if (is_over(dwarf, 1) || add_form(dwarf, form))
				return -1;
			entry.nr++;
		}
		if (c.bad || code >= MAX_CODES)
			return -1;
		dwarf->table[code] = entry;
		if (code >= dwarf->nr_table)
			dwarf->nr_table = code + 1;
	}
	return c.bad ? -1 : 0;
}

/* Goes from the end of one unit to the first entry of the next. */
static bool enter_unit(struct dwarf *dwarf)
{
	struct cursor c = { dwarf->info.data + dwarf->unit_end,
			    dwarf->info.data + dwarf->info.length, false };
	uint64_t length, abbreviations;
	unsigned int kind = 1;

	if (dwarf->unit_end >= dwarf->info.length)
		return false;
	dwarf->unit = dwarf->unit_end;
	dwarf->offset_bytes = 4;
	length = fixed(&c, 4);
	if (length == UINT32_MAX) {
		dwarf->offset_bytes = 8;
		length = fixed(&c, 8);
	}
	if (c.bad || length > (uint64_t)(c.end - c.at))
		return false;
	dwarf->unit_end = c.at - dwarf->info.data + length;
	c.end = c.at + length;
	dwarf->version = fixed(&c, 2);
	if (dwarf->version < 2 || dwarf->version > 5)
		return false;
	if (dwarf->version == 5) {
		kind = fixed(&c, 1);
		dwarf->address_bytes = fixed(&c, 1);
		abbreviations = fixed(&c, dwarf->offset_bytes);
		if (kind == 4 || kind == 5)		/* split units have an id */
			skip(&c, 8);
		else if (kind == 2 || kind == 6)	/* type units: a signature and an offset */
			skip(&c, 8 + dwarf->offset_bytes);
	} else {
		abbreviations = fixed(&c, dwarf->offset_bytes);
		dwarf->address_bytes = fixed(&c, 1);
	}
	dwarf->at = c.at - dwarf->info.data;
	dwarf->depth = 0;
	dwarf->strings_base = 2 * dwarf->offset_bytes;
	return !c.bad && !read_table(dwarf, abbreviations);
}

/* The value of an attribute: a number, or a text. */
struct value {
	uint64_t number;
	const char *text;
	bool is_in_unit, is_offset;	/* of a reference */
};

static const char *indexed_text(const struct dwarf *dwarf, uint64_t index)
{
	struct cursor c = { dwarf->offsets.data, dwarf->offsets.data + dwarf->offsets.length, false };

	if (!dwarf->offsets.data || index > dwarf->offsets.length)
		return NULL;
	skip(&c, dwarf->strings_base);
	skip(&c, index * dwarf->offset_bytes);
	index = fixed(&c, dwarf->offset_bytes);
	return c.bad ? NULL : text_at(&dwarf->strings, index);
}

static void read_value(const struct dwarf *dwarf, struct cursor *c, uint32_t form,
		       uint64_t constant, struct value *value)
{
	*value = (struct value){ 0 };
	if (form == FORM_INDIRECT)
		form = variable(c);
	switch (form) {
	case FORM_ADDR: skip(c, dwarf->address_bytes); break;
	case FORM_DATA1: case FORM_FLAG: value->number = fixed(c, 1); break;
	case FORM_DATA2: value->number = fixed(c, 2); break;
	case FORM_DATA4: value->number = fixed(c, 4); break;
	case FORM_DATA8: value->number = fixed(c, 8); break;
	case FORM_SDATA: case FORM_UDATA: value->number = variable(c); break;
	case FORM_IMPLICIT_CONST: value->number = constant; break;
	case FORM_FLAG_PRESENT: value->number = 1; break;
	case FORM_DATA16: skip(c, 16); break;
	case FORM_REF_SIG8: case FORM_REF_SUP8: skip(c, 8); break;
	case FORM_REF_SUP4: skip(c, 4); break;
	case FORM_ADDRX: case FORM_LOCLISTX: case FORM_RNGLISTX: variable(c); break;
	case FORM_ADDRX1: skip(c, 1); break;
	case FORM_ADDRX2: skip(c, 2); break;
	case FORM_ADDRX3: skip(c, 3); break;
	case FORM_ADDRX4: skip(c, 4); break;
	case FORM_BLOCK1: skip(c, fixed(c, 1)); break;
	case FORM_BLOCK2: skip(c, fixed(c, 2)); break;
	case FORM_BLOCK4: skip(c, fixed(c, 4)); break;
	case FORM_BLOCK: case FORM_EXPRLOC: skip(c, variable(c)); break;
	case FORM_SEC_OFFSET: value->number = fixed(c, dwarf->offset_bytes); break;
	/* The text is in another file, which is not read. */
	case FORM_STRP_SUP: case FORM_GNU_REF_ALT: case FORM_GNU_STRP_ALT:
		skip(c, dwarf->offset_bytes);
		break;
	case FORM_STRING: value->text = text(c); break;
	case FORM_STRP:
		value->text = text_at(&dwarf->strings, fixed(c, dwarf->offset_bytes));
		break;
	case FORM_LINE_STRP:
		value->text = text_at(&dwarf->line_strings, fixed(c, dwarf->offset_bytes));
		break;
	case FORM_STRX: value->text = indexed_text(dwarf, variable(c)); break;
	case FORM_STRX1: value->text = indexed_text(dwarf, fixed(c, 1)); break;
	case FORM_STRX2: value->text = indexed_text(dwarf, fixed(c, 2)); break;
	case FORM_STRX3: value->text = indexed_text(dwarf, fixed(c, 3)); break;
	case FORM_STRX4: value->text = indexed_text(dwarf, fixed(c, 4)); break;
	case FORM_REF1: value->number = dwarf->unit + fixed(c, 1); break;
	case FORM_REF2: value->number = dwarf->unit + fixed(c, 2); break;
	case FORM_REF4: value->number = dwarf->unit + fixed(c, 4); break;
	case FORM_REF8: value->number = dwarf->unit + fixed(c, 8); break;
	case FORM_REF_UDATA: value->number = dwarf->unit + variable(c); break;
	case FORM_REF_ADDR:
		value->number = fixed(c, dwarf->version == 2 ? dwarf->address_bytes :
					 dwarf->offset_bytes);
		break;
	default:
		c->bad = true;
	}
}

/* Reads the entry at c.  False at the end of a list of children, or where c is bad. */
static bool read_entry(struct dwarf *dwarf, struct cursor *c, struct dwarf_entry *entry,
		       bool *has_children)
{
	const struct dwarf_abbreviation *abbreviation;
	uint64_t code;

	*entry = (struct dwarf_entry){ .offset = c->at - dwarf->info.data, .depth = dwarf->depth };
	code = variable(c);
	if (!code || c->bad)
		return false;
	if (code >= dwarf->nr_table || !dwarf->table[code].tag) {
		c->bad = true;
		return false;
	}
	abbreviation = &dwarf->table[code];
	entry->tag = abbreviation->tag;
	*has_children = abbreviation->has_children;
	for (uint32_t i = 0; i < abbreviation->nr && !c->bad; i++) {
		const struct dwarf_form *form = &dwarf->forms[abbreviation->first + i];
		struct value value;

		read_value(dwarf, c, form->form, form->constant, &value);
		switch (form->attribute) {
		case AT_NAME: entry->name = value.text; break;
		case AT_LINKAGE_NAME: case AT_MIPS_LINKAGE_NAME:
			entry->linkage_name = value.text;
			break;
		case AT_ABSTRACT_ORIGIN: case AT_SPECIFICATION: entry->origin = value.number; break;
		/* 1: inlined; 3: inlined, and declared inline. */
		case AT_INLINE: entry->is_inlined = value.number & 1; break;
		case AT_STRING_OFFSETS_BASE: dwarf->strings_base = value.number; break;
		default: break;
		}
	}
	return !c->bad;
}

bool dwarf__next(struct dwarf *dwarf, struct dwarf_entry *entry)
{
	for (;;) {
		struct cursor c;
		bool has_children = false;

		if (is_over(dwarf, 1))
			return false;
		if (dwarf->at >= dwarf->unit_end && !enter_unit(dwarf))
			return false;
		c = (struct cursor){ dwarf->info.data + dwarf->at, dwarf->info.data + dwarf->unit_end,
				     false };
		if (read_entry(dwarf, &c, entry, &has_children)) {
			dwarf->at = c.at - dwarf->info.data;
			dwarf->depth += has_children;
			return true;
		}
		/* A unit that is not understood is skipped. */
		dwarf->at = c.bad ? dwarf->unit_end : (uint64_t)(c.at - dwarf->info.data);
		dwarf->depth -= dwarf->depth > 0;
	}
}

bool dwarf__at(struct dwarf *dwarf, uint64_t offset, struct dwarf_entry *entry)
{
	struct cursor c = { dwarf->info.data + offset, dwarf->info.data + dwarf->unit_end, false };
	bool has_children;

	return offset > dwarf->unit && offset < dwarf->unit_end &&
	       read_entry(dwarf, &c, entry, &has_children);
}
