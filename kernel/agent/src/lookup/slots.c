// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "lookup/slots.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/sort.h"

#define MAX_TABLE_BYTES (128u << 20)

static int compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void add_section(struct slots *slots, const struct elf_file *file,
			const Elf64_Shdr *section, const struct elf_bytes *symbols)
{
	struct elf_bytes bytes;
	struct slot *grown;

	if (elf_file__read_section(file, section, MAX_TABLE_BYTES, &bytes))
		return;
	grown = realloc(slots->all, (slots->nr + bytes.length / sizeof(Elf64_Rela) + 1) *
			sizeof(*grown));
	if (grown)
		slots->all = grown;
	for (size_t at = 0; grown && bytes.length - at >= sizeof(Elf64_Rela);
	     at += sizeof(Elf64_Rela)) {
		Elf64_Rela entry;
		Elf64_Sym symbol;
		uint32_t type;

		memcpy(&entry, bytes.data + at, sizeof(entry));
		type = ELF64_R_TYPE(entry.r_info);
		if ((type != ARCH_JUMP_SLOT && type != ARCH_GLOB_DAT) ||
		    ELF64_R_SYM(entry.r_info) >= symbols->length / sizeof(symbol))
			continue;
		memcpy(&symbol, symbols->data + ELF64_R_SYM(entry.r_info) * sizeof(symbol),
		       sizeof(symbol));
		if (symbol.st_name && symbol.st_name < slots->names.length)
			slots->all[slots->nr++] = (struct slot){ entry.r_offset, symbol.st_name };
	}
	free(bytes.data);
}

void slots__read(struct slots *slots, const struct elf_file *file)
{
	const Elf64_Shdr *dynamic = elf_file__section_of_type(file, SHT_DYNSYM);
	struct elf_bytes symbols = { 0 };

	*slots = (struct slots){ 0 };
	if (!dynamic || dynamic->sh_link >= file->nr_sections ||
	    elf_file__read_section(file, dynamic, MAX_TABLE_BYTES, &symbols))
		return;
	if (!elf_file__read_section(file, &file->sections[dynamic->sh_link], MAX_TABLE_BYTES,
				    &slots->names))
		for (size_t i = 0; i < file->nr_sections; i++)
			if (file->sections[i].sh_type == SHT_RELA)
				add_section(slots, file, &file->sections[i], &symbols);
	if (slots->nr)
		sort(slots->all, slots->nr, sizeof(*slots->all), compare_slots);
	free(symbols.data);
}

void slots__free(struct slots *slots)
{
	free(slots->all);
	free(slots->names.data);
	*slots = (struct slots){ 0 };
}

const char *slots__name(const struct slots *slots, uint64_t address)
{
	size_t at = partition_point(slots->nr, i, slots->all[i].address < address);

	return at < slots->nr && slots->all[at].address == address ? (char *)slots->names.data + slots->all[at].name : NULL;
}
