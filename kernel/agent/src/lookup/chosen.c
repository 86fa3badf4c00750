// SPDX-License-Identifier: GPL-2.0
#include "arch.h"
#include "lookup/chosen.h"
#include "lookup/names.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/partition_point.h"
#include "base/sort.h"

#define MAX_CHOSEN 4096
#define MAX_TABLE_BYTES (128u << 20)
#define MAX_FILES 256

/* The state of one chosen__read(). */
struct reading {
	struct chosen *chosen;
	const struct tail_files *files;
	const struct tail_file *own;
	int memory;			/* /proc/PID/mem */
};

static int compare_names(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	return strcmp(x->symbol->name, y->symbol->name);
}

/* The index of the first choice with this name; chosen->nr if there is none. */
static size_t find_name(const struct chosen *chosen, const char *name)
{
	size_t at = partition_point(chosen->nr, i, strcmp(chosen->all[i].symbol->name, name) < 0);

	return at < chosen->nr && !strcmp(chosen->all[at].symbol->name, name) ? at : chosen->nr;
}

/*
 * Whether a function begins at an address that was read from the process, which can hold anything.
 */
static bool begins_function(const struct tail_file *in, uint64_t address, uint64_t *size)
{
	const struct fn_symbol *symbol = symbols__at(in->symbols, address);
	const struct frame_function *frame = frame_info__at(in->frames, address);

	*size = symbol ? symbol->size : 0;
	if (!*size && frame && frame->start == address)
		*size = frame->end - frame->start;
	return symbol ? !symbol->chosen_at_load : *size != 0;
}

/* Notes the address that a slot holds for a symbol.  The slot's file is mapped with this bias. */
static void note_slot(const struct reading *reading, struct choice *choice, uint64_t bias,
		      uint64_t slot)
{
	const struct tail_file *own = reading->own;
	uint64_t value, address, size;

	if (choice->address || pread(reading->memory, &value, sizeof(value), bias + slot) !=
			       (ssize_t)sizeof(value) || !value)
		return;
	address = value - own->bias;
	if (value - own->mapped->start < own->mapped->end - own->mapped->start) {
		if (!begins_function(own, address, &size))
			return;
		choice->address = address;
		choice->size = size;
		choice->is_elsewhere = false;
		return;
	}
	/* A slot that was not used yet leads back into its own file, and so tells nothing. */
	for (size_t i = 0; i < reading->files->maps.nr; i++) {
		const struct mapped_file *mapped = &reading->files->maps.all[i];

		if (value - mapped->start < mapped->end - mapped->start)
			return;
	}
	choice->is_elsewhere = true;
}

/* Relocations of the file itself contain the address of the resolver, not the symbol's name. */
static void read_own(const struct reading *reading)
{
	const struct elf_file *file = reading->own->file;

	for (size_t i = 0; i < file->nr_sections; i++) {
		struct elf_bytes bytes;

		if (file->sections[i].sh_type != SHT_RELA ||
		    elf_file__read_section(file, &file->sections[i], MAX_TABLE_BYTES, &bytes))
			continue;
		for (size_t at = 0; bytes.length - at >= sizeof(Elf64_Rela);
		     at += sizeof(Elf64_Rela)) {
			Elf64_Rela entry;

			memcpy(&entry, bytes.data + at, sizeof(entry));
			if (ELF64_R_TYPE(entry.r_info) != ARCH_IRELATIVE)
				continue;
			for (size_t k = 0; k < reading->chosen->nr; k++)
				if (reading->chosen->all[k].symbol->address == (uint64_t)entry.r_addend)
					note_slot(reading, &reading->chosen->all[k],
						  reading->own->bias, entry.r_offset);
		}
		free(bytes.data);
	}
}

/* Relocations of other files contain the symbol's name. */
static void read_imports(const struct reading *reading, const struct mapped_file *mapped)
{
	char *path = mapped_file__open_path(mapped, reading->files->pid);
	struct elf_file file = { .fd = -1 };
	struct error ignored = { 0 };
	struct slots slots = { 0 };
	uint64_t bias;

	if (path && !elf_file__open(&file, path, mapped->path, &ignored) &&
	    mapped_file__bias(mapped, &file, &bias)) {
		slots__read(&slots, &file);
		for (size_t i = 0; i < slots.nr; i++) {
			const char *name = (char *)slots.names.data + slots.all[i].name;

			for (size_t k = find_name(reading->chosen, name);
			     k < reading->chosen->nr &&
			     !strcmp(reading->chosen->all[k].symbol->name, name); k++)
				note_slot(reading, &reading->chosen->all[k], bias,
					  slots.all[i].address);
		}
		slots__free(&slots);
	}
	elf_file__close(&file);
	free(path);
}

/* Symbols with the same address have the same resolver, and so stand for the same code. */
static void share(struct chosen *chosen)
{
	for (size_t i = 0; i < chosen->nr; i++)
		for (size_t k = 0; k < chosen->nr && !chosen->all[i].address; k++)
			if (chosen->all[k].address &&
			    chosen->all[k].symbol->address == chosen->all[i].symbol->address) {
				chosen->all[i].address = chosen->all[k].address;
				chosen->all[i].size = chosen->all[k].size;
			}
}

int chosen__read(struct chosen *chosen, const struct tail_files *files)
{
	struct reading reading = { .chosen = chosen, .files = files, .own = &files->all[0] };
	const struct symbols *symbols = files->all[0].symbols;
	char path[32];

	*chosen = (struct chosen){ 0 };
	if (!reading.own->mapped)
		return 0;
	chosen->all = calloc(MAX_CHOSEN, sizeof(*chosen->all));
	if (!chosen->all)
		return -1;
	for (size_t i = 0; i < symbols->nr && chosen->nr < MAX_CHOSEN; i++)
		if (symbols->all[i].chosen_at_load)
			chosen->all[chosen->nr++] = (struct choice){ .symbol = &symbols->all[i] };
	sort(chosen->all, chosen->nr, sizeof(*chosen->all), compare_names);
	snprintf(path, sizeof(path), "/proc/%d/mem", files->pid);
	reading.memory = open(path, O_RDONLY | O_CLOEXEC);
	if (reading.memory < 0)
		return 0;
	read_own(&reading);
	for (size_t i = 0, nr = 0; i < files->maps.nr && nr < MAX_FILES; i++)
		if (files->maps.all[i].is_executable) {
			read_imports(&reading, &files->maps.all[i]);
			nr++;
		}
	close(reading.memory);
	share(chosen);
	return 0;
}

void chosen__free(struct chosen *chosen)
{
	free(chosen->all);
	*chosen = (struct chosen){ 0 };
}

const struct choice *chosen__of(const struct chosen *chosen, const struct fn_symbol *symbol)
{
	size_t at = symbol->chosen_at_load ? find_name(chosen, symbol->name) : chosen->nr;

	for (; at < chosen->nr && !strcmp(chosen->all[at].symbol->name, symbol->name); at++)
		if (chosen->all[at].symbol->address == symbol->address)
			return &chosen->all[at];
	return NULL;
}

char *chosen__name(const struct symbols *symbols, const char *name, uint64_t address)
{
	const struct fn_symbol *code = symbols__at(symbols, address);
	char *demangled = name__demangle(name, true), *of_code, *printable = NULL, *whole = NULL;

	of_code = code ? name__demangle(code->name, true) : NULL;
	if (code && !of_code)
		of_code = strdup(code->name);
	else if (!of_code && asprintf(&of_code, "0x%" PRIx64, address) < 0)
		of_code = NULL;
	if (of_code && asprintf(&whole, "%s (%s)", demangled ? demangled : name, of_code) < 0)
		whole = NULL;
	if (whole)
		printable = name__printable(whole);
	free(demangled);
	free(of_code);
	free(whole);
	return printable;
}

char **chosen__add_aliases(const struct chosen *chosen, uint64_t address, const char *name,
			   char **aliases)
{
	size_t nr = 0;

	while (aliases && aliases[nr])
		nr++;
	for (size_t i = 0; i < chosen->nr; i++) {
		const struct choice *choice = &chosen->all[i];
		char **grown;

		/* Only names that programs can call, and each once: it may be in two tables. */
		if (choice->address != address || !choice->symbol->is_global ||
		    strchr(choice->symbol->name, '@') || !strcmp(choice->symbol->name, name) ||
		    (i && !strcmp(chosen->all[i - 1].symbol->name, choice->symbol->name)))
			continue;
		grown = realloc(aliases, (nr + 2) * sizeof(*aliases));
		if (!grown)
			break;
		aliases = grown;
		aliases[nr] = name__printable(choice->symbol->name);
		nr += aliases[nr] != NULL;
		aliases[nr] = NULL;
	}
	return aliases;
}
