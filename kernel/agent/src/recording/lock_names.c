// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loop.h"
#include "base/text.h"
#include "lookup/elf_file.h"
#include "lookup/process_files.h"
#include "recording/lock_names.h"

#define SLOTS		8192	/* a power of two */
#define MOST		(SLOTS / 2)
#define NAME_BYTES	96
#define SYMBOLS_BYTES	(64U << 20)
/*
 * Of CPU time, for a round and for all of them: the agent does nothing else meanwhile.  What is not found by
 * then has no name, which must not depend on what else the host does.
 */
#define MOST_NS		50000000ULL
#define MOST_IN_ALL_NS	(40 * MOST_NS)

struct lock_name {
	uint64_t address;	/* 0: a free slot */
	bool is_looked_for;
	char text[NAME_BYTES];
};

struct lock_names {
	pid_t pid;
	struct lock_name *slots;	/* [SLOTS] */
	size_t nr, nr_wanted;
	uint64_t until_ns, took_ns;	/* of the thread's CPU time */
};

struct lock_names *lock_names__new(pid_t pid)
{
	struct lock_names *names = calloc(1, sizeof(*names));

	if (!names)
		return NULL;
	names->pid = pid;
	names->slots = calloc(SLOTS, sizeof(*names->slots));
	if (names->slots)
		return names;
	free(names);
	return NULL;
}

void lock_names__free(struct lock_names *names)
{
	if (!names)
		return;
	free(names->slots);
	free(names);
}

static bool names__have_time(const struct lock_names *names)
{
	return clock__cpu_ns() < names->until_ns;
}

/* Its slot, or the free one where it would be. */
static struct lock_name *lock_names__slot(const struct lock_names *names, uint64_t address)
{
	size_t at = address * 0x9e3779b97f4a7c15ull >> 51;

	while (names->slots[at].address && names->slots[at].address != address)
		at = (at + 1) % SLOTS;
	return &names->slots[at];
}

void lock_names__want(struct lock_names *names, uint64_t address)
{
	struct lock_name *slot = lock_names__slot(names, address);

	if (slot->address || names->nr == MOST)
		return;
	slot->address = address;
	names->nr++;
	names->nr_wanted++;
}

const char *lock_names__of(const struct lock_names *names, uint64_t address)
{
	const struct lock_name *slot = lock_names__slot(names, address);

	return slot->address ? slot->text : "";
}

/* Names come from the traced process's files: only what is text to everyone is kept. */
static void lock_name__set(struct lock_name *name, const char *text, uint64_t offset)
{
	char *at;

	if (offset)
		snprintf(name->text, sizeof(name->text), "%.64s+0x%" PRIx64, text, offset);
	else
		snprintf(name->text, sizeof(name->text), "%.64s", text);
	for (at = name->text; *at; at++)
		if (*at < ' ' || *at > '~')
			*at = '?';
}

/* The names of a file's variables; no strings where the file has no such table. */
struct symbols {
	struct elf_bytes symbols, strings;
};

static void symbols__read(struct symbols *table, const struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, type);

	if (section && section->sh_link < file->nr_sections &&
	    !elf_file__read_section(file, section, SYMBOLS_BYTES, &table->symbols))
		elf_file__read_section(file, &file->sections[section->sh_link], SYMBOLS_BYTES, &table->strings);
}

static void symbols__free(struct symbols *table)
{
	free(table->symbols.data);
	free(table->strings.data);
}

/* The variable that an address of the file lies in. */
static bool symbols__name(const struct symbols *table, uint64_t address, struct lock_name *name)
{
	const Elf64_Sym *symbol, *found = NULL;
	size_t i;

	for (i = 0; table->strings.data && i < table->symbols.length / sizeof(*symbol); i++) {
		symbol = (const Elf64_Sym *)table->symbols.data + i;
		if (ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF &&
		    address >= symbol->st_value && address - symbol->st_value < symbol->st_size &&
		    symbol->st_name < table->strings.length && table->strings.data[symbol->st_name])
			found = symbol;
	}
	if (found)
		lock_name__set(name, (char *)table->strings.data + found->st_name, address - found->st_value);
	return found;
}

/* Whether the loader put the file's content there, or memory for its variables. */
static bool file__has(const struct elf_file *file, uint64_t address)
{
	size_t i;

	for (i = 0; i < file->nr_segments; i++)
		if (file->segments[i].p_type == PT_LOAD && address >= file->segments[i].p_vaddr &&
		    address - file->segments[i].p_vaddr < file->segments[i].p_memsz)
			return true;
	return false;
}

static bool name__is_wanted(const struct lock_name *name, const struct elf_file *file, uint64_t bias)
{
	return name->address && !name->is_looked_for && !*name->text && file__has(file, name->address - bias);
}

static void names__look_in_file(struct lock_names *names, const struct mapped_file *mapped)
{
	char *path = mapped_file__open_path(mapped, names->pid);
	struct symbols all = { 0 }, exported = { 0 };
	struct elf_file file = { .fd = -1 };
	struct lock_name *name;
	struct error ignored;
	uint64_t bias;
	size_t i;

	if (!path)
		return;
	if (elf_file__open(&file, path, mapped->path, &ignored) || !mapped_file__bias(mapped, &file, &bias))
		goto out;
	for (i = 0; i < SLOTS && !name__is_wanted(&names->slots[i], &file, bias); i++)
		;
	if (i == SLOTS)
		goto out;
	/* They may be large: once for all locks in the file. */
	symbols__read(&all, &file, SHT_SYMTAB);
	symbols__read(&exported, &file, SHT_DYNSYM);
	for (; i < SLOTS && names__have_time(names); i++) {
		name = &names->slots[i];
		if (name__is_wanted(name, &file, bias) && !symbols__name(&all, name->address - bias, name) &&
		    !symbols__name(&exported, name->address - bias, name))
			lock_name__set(name, base_name(mapped->path), name->address - bias);
	}
out:
	symbols__free(&all);
	symbols__free(&exported);
	elf_file__close(&file);
	free(path);
}

/* The kernel's names of memory that is no file's: [heap], [stack] and the like, and that of shared files. */
static void names__look_at_memory(struct lock_names *names)
{
	uint64_t start, end, offset;
	char path[64], line[4608];
	FILE *maps;
	size_t i;
	int at;

	snprintf(path, sizeof(path), "/proc/%d/maps", names->pid);
	maps = fopen(path, "re");
	while (maps && names__have_time(names) && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &start, &end, &offset, &at) != 3 ||
		    at >= (int)strlen(line))
			continue;
		line[strcspn(line, "\n")] = '\0';
		for (i = 0; line[at] && i < SLOTS; i++) {
			struct lock_name *name = &names->slots[i];

			if (!name->address || name->is_looked_for || *name->text || name->address < start || name->address >= end)
				continue;
			/* The kernel's name for memory that is shared, and no file's. */
			if (!strcmp(line + at, "/dev/zero (deleted)"))
				lock_name__set(name, "[shared memory]", 0);
			else if (line[at] == '[')
				lock_name__set(name, line + at, 0);
			else
				lock_name__set(name, base_name(line + at), name->address - start + offset);
		}
	}
	if (maps)
		fclose(maps);
}

void lock_names__find(struct lock_names *names)
{
	uint64_t begin_ns = clock__cpu_ns();
	struct process_files files;
	struct error ignored;
	size_t i;

	if (!names->nr_wanted)
		return;
	names->until_ns = begin_ns + MOST_NS;
	if (!process_files__read(&files, names->pid, &ignored)) {
		for (i = 0; i < files.nr && names__have_time(names); i++)
			if (files.all[i].is_executable)
				names__look_in_file(names, &files.all[i]);
		process_files__free(&files);
		names__look_at_memory(names);
	}
	names->took_ns += clock__cpu_ns() - begin_ns;
	/* The next round goes on with those that have no name yet. */
	if (!names__have_time(names) && names->took_ns < MOST_IN_ALL_NS)
		return;
	for (i = 0; i < SLOTS; i++)
		names->slots[i].is_looked_for = names->slots[i].address != 0;
	names->nr_wanted = 0;
}
