// SPDX-License-Identifier: GPL-2.0
#include "lookup/dwarf.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* The limit for all unpacked sections together; nothing is read from a file that has more. */
#define MAX_BYTES (256u << 20)

static int inflate_section(struct elf_bytes *bytes, size_t limit)
{
	struct elf_bytes whole;
	Elf64_Chdr header;
	uLongf length;

	if (bytes->length < sizeof(header))
		return -1;
	memcpy(&header, bytes->data, sizeof(header));
	if (header.ch_type != ELFCOMPRESS_ZLIB || header.ch_size > limit)
		return -1;
	length = header.ch_size;
	whole.data = malloc(length + 1);
	if (!whole.data)
		return -1;
	if (uncompress(whole.data, &length, bytes->data + sizeof(header),
		       bytes->length - sizeof(header)) != Z_OK || length != header.ch_size) {
		free(whole.data);
		return -1;
	}
	whole.data[length] = 0;
	whole.length = length;
	free(bytes->data);
	*bytes = whole;
	return 0;
}

/* left: how many bytes may still be read; is reduced by those that are read. */
static int read_section(const struct elf_file *file, const char *name, struct elf_bytes *bytes,
			size_t *left)
{
	const Elf64_Shdr *section = elf_file__section(file, name);

	if (elf_file__read_section(file, section, *left, bytes))
		return -1;
	if (!(section->sh_flags & SHF_COMPRESSED) || !inflate_section(bytes, *left)) {
		*left -= bytes->length;
		return 0;
	}
	free(bytes->data);
	*bytes = (struct elf_bytes){ 0 };
	return -1;
}

int dwarf__read(struct dwarf *dwarf, const struct elf_file *file)
{
	size_t left = MAX_BYTES;

	*dwarf = (struct dwarf){ 0 };
	if (read_section(file, ".debug_info", &dwarf->info, &left) ||
	    read_section(file, ".debug_abbrev", &dwarf->abbreviations, &left))
		return -1;
	read_section(file, ".debug_str", &dwarf->strings, &left);
	read_section(file, ".debug_line_str", &dwarf->line_strings, &left);
	read_section(file, ".debug_str_offsets", &dwarf->offsets, &left);
	return 0;
}

void dwarf__free(struct dwarf *dwarf)
{
	free(dwarf->info.data);
	free(dwarf->abbreviations.data);
	free(dwarf->strings.data);
	free(dwarf->line_strings.data);
	free(dwarf->offsets.data);
	free(dwarf->table);
	free(dwarf->forms);
	*dwarf = (struct dwarf){ 0 };
}
