// SPDX-License-Identifier: GPL-2.0
#include "lookup/versions.h"

#include <stdlib.h>
#include <string.h>

#define NUMBERS 0x8000		/* the bit above marks those that are old */
#define MAX_TABLE_BYTES (16u << 20)

static void read_definitions(struct versions *versions, const struct elf_bytes *bytes)
{
	uint64_t at = 0;

	/* Limited, because a hostile file may lead from one entry to the next without end. */
	for (int i = 0; i < NUMBERS && at + sizeof(Elf64_Verdef) <= bytes->length; i++) {
		Elf64_Verdef definition;
		Elf64_Verdaux name;

		memcpy(&definition, bytes->data + at, sizeof(definition));
		if (at + definition.vd_aux + sizeof(name) <= bytes->length) {
			memcpy(&name, bytes->data + at + definition.vd_aux, sizeof(name));
			/* The entry with VER_FLG_BASE is the file's own name, not a version. */
			if (!(definition.vd_flags & VER_FLG_BASE) && definition.vd_ndx < NUMBERS)
				versions->names[definition.vd_ndx] = name.vda_name;
		}
		if (!definition.vd_next)
			break;
		at += definition.vd_next;
	}
}

void versions__read(struct versions *versions, const struct elf_file *file)
{
	const Elf64_Shdr *symbols = elf_file__section_of_type(file, SHT_DYNSYM);
	const Elf64_Shdr *numbers = elf_file__section_of_type(file, SHT_GNU_versym);
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_GNU_verdef);
	struct elf_bytes definitions;

	*versions = (struct versions){ 0 };
	if (!symbols || !section || section->sh_link != symbols->sh_link ||
	    elf_file__read_section(file, section, MAX_TABLE_BYTES, &definitions))
		return;
	versions->names = calloc(NUMBERS, sizeof(*versions->names));
	if (versions->names &&
	    !elf_file__read_section(file, numbers, MAX_TABLE_BYTES, &versions->of_symbols))
		read_definitions(versions, &definitions);
	free(definitions.data);
}

void versions__free(struct versions *versions)
{
	free(versions->of_symbols.data);
	free(versions->names);
	*versions = (struct versions){ 0 };
}

const char *versions__of(const struct versions *versions, const struct elf_bytes *names,
			 size_t symbol, bool *is_old)
{
	uint32_t name;
	uint16_t number;

	*is_old = false;
	if (symbol >= versions->of_symbols.length / sizeof(number))
		return NULL;
	memcpy(&number, versions->of_symbols.data + symbol * sizeof(number), sizeof(number));
	name = versions->names[number % NUMBERS];
	if (!name || name >= names->length || !names->data[name])
		return NULL;
	*is_old = number >= NUMBERS;
	return (char *)names->data + name;
}
