// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "children.h"
#include "held_files.h"

/* What the kernel writes for a probe. */
#if defined(__x86_64__)
static const uint8_t breakpoint[] = { 0xcc };
#elif defined(__aarch64__)
static const uint8_t breakpoint[] = { 0xa0, 0x00, 0x20, 0xd4 };
#endif

/* A piece of a file's code in a process. */
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

/* Only a breakpoint that the file does not have itself is a probe's. */
static int place__restore(int memory, int file, uint64_t address, uint64_t offset)
{
	uint8_t now[sizeof(breakpoint)], original[sizeof(breakpoint)];

	if (pread(memory, now, sizeof(now), address) != sizeof(now) ||
	    memcmp(now, breakpoint, sizeof(now)) ||
	    pread(file, original, sizeof(original), offset) != sizeof(original) ||
	    !memcmp(original, breakpoint, sizeof(original)))
		return 0;
	return pwrite(memory, original, sizeof(original), address) == sizeof(original);
}

static int mapping__restore(const struct mapping *mapping, int memory, int file, const char *path,
			    const struct places *places)
{
	int restored = 0;
	size_t i;

	for (i = 0; i < places->nr; i++) {
		const struct place *place = &places->all[i];

		if (strcmp(place->path, path) || place->offset < mapping->offset ||
		    place->offset - mapping->offset >= mapping->end - mapping->start)
			continue;
		restored += place__restore(memory, file,
					   mapping->start + (place->offset - mapping->offset),
					   place->offset);
	}
	return restored;
}

/* Which file it is; what maps tells of it differs on stacked file systems. */
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

/* All mappings of one of the files. */
static int file__restore(int process, int memory, const char *path, const struct places *places,
			 struct held_files *files)
{
	int file = open(held_files__path(files, path), O_RDONLY | O_CLOEXEC);
	int fd = openat(process, "maps", O_RDONLY | O_CLOEXEC), restored = 0;
	FILE *maps = fd < 0 ? NULL : fdopen(fd, "r");
	struct mapping mapping;
	struct stat status;

	if (file >= 0 && maps && !fstat(file, &status))
		while (maps__next(maps, &mapping))
			if (mapping__is_of(&mapping, process, &status))
				restored += mapping__restore(&mapping, memory, file, path, places);
	if (maps)
		fclose(maps);
	else if (fd >= 0)
		close(fd);
	if (file >= 0)
		close(file);
	return restored;
}

static bool is_first_of_file(const struct places *places, size_t i)
{
	size_t j;

	for (j = 0; j < i; j++)
		if (!strcmp(places->all[j].path, places->all[i].path))
			return false;
	return true;
}

int child__restore(pid_t pid, const struct places *places, struct held_files *files)
{
	int process, memory, restored = 0;
	char name[32];
	size_t i;

	/* One process from here on, whoever gets its number. */
	snprintf(name, sizeof(name), "/proc/%d", pid);
	process = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return -1;
	memory = openat(process, "mem", O_RDWR | O_CLOEXEC);
	if (memory < 0) {
		close(process);
		return -1;
	}
	for (i = 0; i < places->nr; i++)
		if (is_first_of_file(places, i))
			restored += file__restore(process, memory, places->all[i].path, places,
						  files);
	close(memory);
	close(process);
	return restored;
}
