// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "arch/insn.h"
#include "lookup/memory_code.h"
#include "mechanism/trap/code_note.h"
#include "mechanism/trap/held_files.h"

/* A mapping of a file's code in a process. */
struct mapping {
	uint64_t start, end, offset;
	dev_t device;
	ino_t inode;
};

/* The next line of /proc/PID/maps that maps code of a file; false: there is none. */
static bool maps__next(FILE *maps, struct mapping *mapping)
{
	unsigned long start, end, offset, inode;
	unsigned int major_nr, minor_nr;
	char rights[5], line[512];

	while (fgets(line, sizeof(line), maps)) {
		bool whole = strchr(line, '\n');

		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &start, &end, rights, &offset,
			   &major_nr, &minor_nr, &inode) == 7 && rights[2] == 'x' &&
		    rights[3] == 'p' && inode) {
			*mapping = (struct mapping){ start, end, offset,
						     makedev(major_nr, minor_nr), inode };
			while (!whole && fgets(line, sizeof(line), maps))
				whole = strchr(line, '\n');
			return true;
		}
		while (!whole && fgets(line, sizeof(line), maps))
			whole = strchr(line, '\n');
	}
	return false;
}

struct visit {
	int memory, file;
	const struct place *first;	/* of the places in this file; it tells which file that is */
	struct places *places;
};

/* Compares the instruction at a place with the file's.  Where the whole page is as in the file, no instruction is compared. */
static void visit__note(const struct visit *visit, struct memory_code *code, struct place *place)
{
	struct code_insn insn = { .address = place->offset };
	uint8_t bytes[INSN_MAX_BYTES];
	ssize_t got;

	if (memory_code__page_is_same(code, place->offset))
		return;
	got = pread(visit->file, bytes, sizeof(bytes), place->offset);
	if (got <= 0 || !insn__decode(&insn, bytes, got))
		return;
	if (insn.length > code->end - code->start - (place->offset - code->offset))
		insn.length = code->end - code->start - (place->offset - code->offset);
	if (memory_code__look(code, place->offset, insn.length, &place->foreign) == CODE_OTHER)
		place->changed = true;
}

static void visit__mapping(struct visit *visit, const struct mapping *mapping)
{
	struct memory_code code = {
		.memory = visit->memory, .file = visit->file, .start = mapping->start,
		.end = mapping->end, .offset = mapping->offset,
	};
	size_t i;

	for (i = 0; i < visit->places->nr; i++) {
		struct place *place = &visit->places->all[i];

		if (place->offset < mapping->offset ||
		    place->offset - mapping->offset >= mapping->end - mapping->start ||
		    !place__is_in_file_of(place, visit->first))
			continue;
		visit__note(visit, &code, place);
	}
	free(code.pages);
}

/* Whether it is a mapping of that file.  On stacked file systems /proc/PID/maps tells another device and inode than fstat. */
static bool mapping__is_of(const struct mapping *mapping, int process, const struct stat *file)
{
	struct stat mapped;
	char name[64];

	snprintf(name, sizeof(name), "map_files/%lx-%lx", (unsigned long)mapping->start,
		 (unsigned long)mapping->end);
	if (fstatat(process, name, &mapped, 0)) {
		mapped.st_dev = mapping->device;
		mapped.st_ino = mapping->inode;
	}
	return mapped.st_dev == file->st_dev && mapped.st_ino == file->st_ino;
}

/* All mappings of the visit's file. */
static void visit__file(struct visit *visit, int process, struct held_files *files)
{
	int fd = openat(process, "maps", O_RDONLY | O_CLOEXEC);
	FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
	const char *path = held_files__path(files, visit->first);
	struct mapping mapping;
	struct stat status;

	visit->file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (visit->file >= 0 && maps && !fstat(visit->file, &status))
		while (maps__next(maps, &mapping))
			if (mapping__is_of(&mapping, process, &status))
				visit__mapping(visit, &mapping);
	if (maps)
		fclose(maps);
	else if (fd >= 0)
		close(fd);
	if (visit->file >= 0)
		close(visit->file);
}

static bool is_first_of_file(const struct places *places, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (place__is_in_file_of(&places->all[j], &places->all[i]))
			return false;
	return true;
}

/* Returns 0, or -1: the process or its memory can't be had. */
static int visit__process(struct visit *visit, pid_t pid, struct held_files *files)
{
	char name[32];
	int process;
	size_t i;

	/* The descriptor stays with this process, even if it ends and another one gets its number. */
	snprintf(name, sizeof(name), "/proc/%d", pid);
	process = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return -1;
	visit->memory = openat(process, "mem", O_RDONLY | O_CLOEXEC);
	if (visit->memory < 0) {
		close(process);
		return -1;
	}
	for (i = 0; i < visit->places->nr; i++) {
		if (!is_first_of_file(visit->places, i))
			continue;
		visit->first = &visit->places->all[i];
		visit__file(visit, process, files);
	}
	close(visit->memory);
	close(process);
	return 0;
}

int code__note(pid_t pid, struct places *places, struct held_files *files)
{
	struct visit visit = { .places = places };

	return visit__process(&visit, pid, files);
}
