// SPDX-License-Identifier: GPL-2.0
#include "stacks/file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lookup/debug_file.h"

bool stack_file__open(struct stack_file *file, const struct mapped_file *mapped, pid_t pid)
{
	char *path = mapped_file__open_path(mapped, pid);
	struct error ignored = { 0 };

	*file = (struct stack_file){ .elf.fd = -1, .device = mapped->device, .inode = mapped->inode, .pid = pid };
	file->path = strdup(mapped->path);
	if (path && file->path) {
		file->is_open = !elf_file__open(&file->elf, path, mapped->path, &ignored) &&
				mapped_file__bias(mapped, &file->elf, &file->bias);
		if (!file->is_open)
			elf_file__close(&file->elf);
	}
	free(path);
	return file->path;
}

uint64_t vdso__of(pid_t pid)
{
	uint64_t pair[2], at = 0;
	char path[32];
	FILE *auxv;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	auxv = fopen(path, "re");
	while (auxv && !at && fread(pair, sizeof(pair), 1, auxv) == 1)
		if (pair[0] == AT_SYSINFO_EHDR)
			at = pair[1];
	if (auxv)
		fclose(auxv);
	return at;
}

bool stack_file__open_vdso(struct stack_file *file, uint64_t at)
{
	const uint8_t *own = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)own;
	struct error ignored = { 0 };
	size_t bytes;
	int fd;

	*file = (struct stack_file){ .elf.fd = -1, .bias = at };
	file->path = strdup("[vdso]");
	if (!own || !file->path)
		return file->path;
	bytes = header->e_shoff + header->e_shnum * (size_t)header->e_shentsize;
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd < 0 || write(fd, own, bytes) != (ssize_t)bytes) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	file->is_open = !elf_file__take(&file->elf, fd, bytes, file->path, &ignored);
	if (!file->is_open)
		elf_file__close(&file->elf);
	return true;
}

static uint64_t section_bytes(const struct elf_file *file, const Elf64_Shdr *section)
{
	/* One that claims more than the file has is not read. */
	return section && section->sh_type != SHT_NOBITS && section->sh_size <= file->size ? section->sh_size : 0;
}

/* A table of symbols, what is made of it, and its names. */
static uint64_t symbols_bytes(const struct elf_file *file, uint32_t type)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, type);

	if (!section)
		return 0;
	return section_bytes(file, section) / sizeof(Elf64_Sym) * sizeof(struct fn_symbol) +
	       (section->sh_link < file->nr_sections ?
		section_bytes(file, &file->sections[section->sh_link]) : 0);
}

/* What frames and symbols will take at most, but for small things. */
static uint64_t will_take(const struct stack_file *file, const struct elf_file *debug)
{
	uint64_t frames = section_bytes(&file->elf, elf_file__section(&file->elf, ".eh_frame"));

	return 2 * frames + symbols_bytes(&file->elf, SHT_DYNSYM) + symbols_bytes(&file->elf, SHT_SYMTAB) +
	       (debug ? symbols_bytes(debug, SHT_SYMTAB) : 0);
}

static uint64_t takes(const struct stack_file *file)
{
	const struct symbols *symbols = &file->symbols;
	uint64_t bytes = file->frames.bytes.length + file->frames.nr * sizeof(*file->frames.all);
	size_t i;

	for (i = 0; i < sizeof(symbols->names) / sizeof(*symbols->names); i++)
		bytes += symbols->names[i].length;
	return bytes + symbols->versioned_bytes + (symbols->nr + symbols->nr_doubted) * (sizeof(*symbols->all) + sizeof(*symbols->by_address)) +
	       symbols->nr_parts * sizeof(*symbols->parts);
}

void stack_file__load(struct stack_file *file, uint64_t *room)
{
	const struct debug_search apart = { .file = &file->elf, .path = file->path, .pid = file->pid };
	struct elf_file debug;
	struct error ignored = { 0 };
	bool has_debug = false;

	if (file->is_loaded || !file->is_open)
		return;
	file->is_loaded = true;
	if (file->inode && !elf_file__section_of_type(&file->elf, SHT_SYMTAB))
		has_debug = !debug_file__find(&debug, &apart);
	if (will_take(file, has_debug ? &debug : NULL) > *room)
		goto out;
	if (frame_info__read(&file->frames, &file->elf))
		frame_info__free(&file->frames);
	if (symbols__load(&file->symbols, &file->elf, has_debug ? &debug : NULL, &file->frames, &ignored))
		symbols__free(&file->symbols);
	error__free(&ignored);
	if (takes(file) > *room) {
		frame_info__free(&file->frames);
		symbols__free(&file->symbols);
	}
	*room -= takes(file);
out:
	if (has_debug)
		elf_file__close(&debug);
	close(file->elf.fd);
	file->elf.fd = -1;
}

void stack_file__close(struct stack_file *file)
{
	free(file->path);
	if (file->is_open)
		elf_file__close(&file->elf);
	frame_info__free(&file->frames);
	symbols__free(&file->symbols);
}
