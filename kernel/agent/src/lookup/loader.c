// SPDX-License-Identifier: GPL-2.0
#include "lookup/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lookup/elf_file.h"
#include "lookup/process_files.h"

#define MAX_TABLE_BYTES (16u << 20)

/* The address of the symbol that the file exports by this name; false if it exports none. */
static bool exported(const struct elf_file *file, const char *wanted, uint64_t *address)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, SHT_DYNSYM);
	struct elf_bytes symbols = { 0 }, names = { 0 };
	bool found = false;

	if (section && section->sh_link < file->nr_sections &&
	    !elf_file__read_section(file, section, MAX_TABLE_BYTES, &symbols) &&
	    !elf_file__read_section(file, &file->sections[section->sh_link], MAX_TABLE_BYTES,
				    &names))
		for (size_t at = 0; symbols.length - at >= sizeof(Elf64_Sym) && !found;
		     at += sizeof(Elf64_Sym)) {
			Elf64_Sym symbol;

			memcpy(&symbol, symbols.data + at, sizeof(symbol));
			found = symbol.st_shndx != SHN_UNDEF && symbol.st_name < names.length &&
				!strcmp((char *)names.data + symbol.st_name, wanted);
			*address = symbol.st_value;
		}
	free(symbols.data);
	free(names.data);
	return found;
}

static bool is_linked_whole(pid_t pid)
{
	struct elf_file file = { .fd = -1 };
	struct error ignored = { 0 };
	bool whole = false;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (!elf_file__open(&file, path, path, &ignored)) {
		whole = true;
		for (size_t i = 0; i < file.nr_segments; i++)
			whole &= file.segments[i].p_type != PT_INTERP;
	}
	elf_file__close(&file);
	return whole;
}

static bool is_loader(const struct mapped_file *mapped, pid_t pid, struct loader *loader)
{
	struct elf_file file = { .fd = -1 };
	struct error ignored = { 0 };
	uint64_t state = 0, r_debug = 0, left;
	bool found = false;
	char *path;

	if (!mapped->is_executable || strncmp(base_name(mapped->path), "ld", 2))
		return false;
	path = mapped_file__open_path(mapped, pid);
	if (path && !elf_file__open(&file, path, mapped->path, &ignored) &&
	    !elf_file__id(&file, &loader->file))
		found = exported(&file, "_dl_debug_state", &state) &&
			exported(&file, "_r_debug", &r_debug) &&
			elf_file__offset_of(&file, state, true, &loader->file_offset, &left);
	elf_file__close(&file);
	if (!found) {
		free(path);
		return false;
	}
	loader->open_path = path;
	loader->r_debug = r_debug - state;
	return true;
}

void loader__find(struct loader *loader, pid_t pid)
{
	struct process_files files;
	struct error ignored = { 0 };

	*loader = (struct loader){ .is_needed = !is_linked_whole(pid) };
	if (!loader->is_needed || process_files__read(&files, pid, &ignored))
		return;
	for (size_t i = 0; i < files.nr; i++)
		if (is_loader(&files.all[i], pid, loader))
			break;
	process_files__free(&files);
}

void loader__free(struct loader *loader)
{
	free(loader->open_path);
	*loader = (struct loader){ 0 };
}
