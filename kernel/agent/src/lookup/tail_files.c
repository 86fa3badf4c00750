// SPDX-License-Identifier: GPL-2.0
#include "lookup/tail_files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES 64

int tail_files__init(struct tail_files *files, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames)
{
	struct error error = { 0 };
	struct tail_file *own;
	struct stat st;

	*files = (struct tail_files){ .pid = pid };
	files->all = calloc(MAX_FILES, sizeof(*files->all));
	if (!files->all)
		return -1;
	own = &files->all[files->nr++];
	*own = (struct tail_file){ .file = file, .symbols = symbols, .frames = frames,
				   .is_own = true,
				   .is_relocated = elf_file__has_text_relocations(file) };
	if (!pid || process_files__read(&files->maps, pid, &error))
		return 0;
	process_code__init(&files->code, pid, &files->maps);
	if (stat(open_path, &st))
		return 0;
	for (size_t i = 0; i < files->maps.nr && !own->mapped; i++)
		if (files->maps.all[i].is_executable && files->maps.all[i].inode == st.st_ino &&
		    mapped_file__bias(&files->maps.all[i], file, &own->bias))
			own->mapped = &files->maps.all[i];
	for (size_t i = 0; i < files->maps.nr && !own->mapped; i++)
		own->code_is_gone |= files->maps.all[i].inode == st.st_ino &&
				     !files->maps.all[i].is_executable;
	return 0;
}

const char *tail_files__reason_against(struct tail_files *files, uint32_t file, uint64_t address,
				       uint64_t length)
{
	const struct tail_file *in = &files->all[file];

	if (in->is_relocated)
		return CODE_IS_RELOCATED;
	if (in->code_is_gone)
		return CODE_WAS_MOVED;
	return in->mapped ? process_code__reason(&files->code, in->file, in->mapped->inode, in->bias,
						 address, length) : NULL;
}

static void tail_file__close(struct tail_file *file)
{
	slots__free(&file->slots);
	free(file->open_path);
	if (file->is_own)
		return;
	if (file->file)
		elf_file__close(file->file);
	if (file->symbols)
		symbols__free(file->symbols);
	if (file->frames)
		frame_info__free(file->frames);
	free(file->file);
	free(file->symbols);
	free(file->frames);
}

void tail_files__free(struct tail_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		tail_file__close(&files->all[i]);
	free(files->all);
	process_code__free(&files->code);
	process_files__free(&files->maps);
	*files = (struct tail_files){ 0 };
}

/* Returns its index, or NOWHERE if it can't be read, or if there are too many files. */
static uint32_t open_mapped(struct tail_files *files, const struct mapped_file *mapped)
{
	struct tail_file *to = &files->all[files->nr];
	struct error error = { 0 };

	for (size_t i = 0; i < files->nr; i++)
		if (files->all[i].mapped == mapped)
			return files->all[i].file ? i : NOWHERE;
	if (files->nr == MAX_FILES)
		return NOWHERE;
	files->nr++;
	to->mapped = mapped;
	to->open_path = mapped_file__open_path(mapped, files->pid);
	to->file = calloc(1, sizeof(*to->file));
	to->symbols = calloc(1, sizeof(*to->symbols));
	to->frames = calloc(1, sizeof(*to->frames));
	if (to->open_path && to->file && to->symbols && to->frames &&
	    !elf_file__open(to->file, to->open_path, mapped->path, &error) &&
	    !elf_file__id(to->file, &to->id) &&
	    !symbols__load(to->symbols, to->file, NULL, NULL, &error) &&
	    !frame_info__read(to->frames, to->file) && mapped_file__bias(mapped, to->file, &to->bias)) {
		to->is_relocated = elf_file__has_text_relocations(to->file);
		return files->nr - 1;
	}
	if (to->file)
		elf_file__close(to->file);
	free(to->file);
	to->file = NULL;
	return NOWHERE;
}

bool tail_file__is_linkers_slot(const struct tail_file *in, uint64_t slot)
{
	const struct elf_file *file = in->file;
	const Elf64_Shdr *lazy = elf_file__section(file, ".got.plt");

	if (lazy && slot - lazy->sh_addr < lazy->sh_size)
		return true;
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];

		if (segment->p_type == PT_GNU_RELRO && slot - segment->p_vaddr < segment->p_memsz)
			return true;
	}
	return false;
}

uint32_t tail_files__in_slot(struct tail_files *files, uint32_t file, uint64_t slot,
			     uint64_t *address)
{
	const struct tail_file *from = &files->all[file];
	uint64_t value = 0;
	uint32_t to;
	char path[64];
	int fd;

	if (from->mapped) {
		snprintf(path, sizeof(path), "/proc/%d/mem", files->pid);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && pread(fd, &value, sizeof(value), from->bias + slot) !=
		    (ssize_t)sizeof(value))
			value = 0;
		if (fd >= 0)
			close(fd);
	}
	for (size_t i = 0; value && i < files->maps.nr; i++) {
		const struct mapped_file *mapped = &files->maps.all[i];

		if (!mapped->is_executable || value < mapped->start || value >= mapped->end)
			continue;
		to = open_mapped(files, mapped);
		if (to != NOWHERE)
			*address = value - files->all[to].bias;
		return to;
	}
	return NOWHERE;
}

const char *tail_files__import(struct tail_files *files, uint32_t file, uint64_t slot)
{
	struct tail_file *from = &files->all[file];

	if (!from->slots_read)
		slots__read(&from->slots, from->file);
	from->slots_read = true;
	return slots__name(&from->slots, slot);
}
