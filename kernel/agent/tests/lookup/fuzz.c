// SPDX-License-Identifier: GPL-2.0
/*
 * fuzz FILE ROUNDS [SECTION]: looks for functions and static probes in ROUNDS damaged copies of an ELF file, and unwinds
 * frames by what they say.  With SECTION, that one is damaged in each.  The address sanitizer ends it where one makes lookup read or write what it must not.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../src/lookup/frame_rules.h"
#include "../../src/lookup/functions.h"
#include "../../src/lookup/static_probes.h"

#define MAX_BYTES (4 << 20)

static uint64_t state = 0x9e3779b97f4a7c15ull;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static const uint64_t absurd[] = {
	0, 1, 7, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, INT64_MAX, UINT64_MAX,
	UINT64_MAX - 7, 1ull << 40, 4095, 4097,
};

static uint64_t absurd_value(size_t size)
{
	uint64_t value = absurd[next_random() % (sizeof(absurd) / sizeof(absurd[0]))];

	return next_random() % 4 ? value : size - next_random() % 64;
}

/* Within any section, as those of debug information: by a byte, so that what follows is read. */
static size_t damage_section(uint8_t *bytes, size_t size, const Elf64_Ehdr *header)
{
	uint64_t at = header->e_shoff;
	Elf64_Shdr section;

	if (!header->e_shnum)
		return size;
	at += next_random() % header->e_shnum * sizeof(section);
	if (at > size || size - at < sizeof(section))
		return size;
	memcpy(&section, bytes + at, sizeof(section));
	for (int i = 0; i < 4 && section.sh_size; i++) {
		at = section.sh_offset + next_random() % section.sh_size;
		if (at < size)
			bytes[at] = next_random() % 3 ? next_random() : 0xff;
	}
	return size;
}

/* Within one section of the whole file: by a byte, or by an absurd number. */
static void damage_named(uint8_t *bytes, size_t size, uint64_t offset, uint64_t length)
{
	for (int i = next_random() % 8; i >= 0 && length > 8; i--) {
		uint64_t at = offset + next_random() % (length - 8), value = absurd_value(size);

		if (next_random() % 2)
			memcpy(bytes + at, &value, next_random() % 2 ? 8 : 4);
		else
			bytes[at] = next_random();
	}
}

/* One damage: mostly where the file says where things are. */
static size_t damage(uint8_t *bytes, size_t size)
{
	Elf64_Ehdr header;
	size_t at;
	uint64_t value = absurd_value(size);

	memcpy(&header, bytes, sizeof(header));
	switch (next_random() % 8) {
	case 0:
		return next_random() % size;			/* truncated */
	case 1:
		at = next_random() % sizeof(header);
		break;
	case 2:
		at = header.e_phoff + next_random() % (header.e_phnum * sizeof(Elf64_Phdr) + 1);
		break;
	case 3: case 4:
		at = header.e_shoff + next_random() % (header.e_shnum * sizeof(Elf64_Shdr) + 1);
		break;
	case 5:
		bytes[next_random() % size] = next_random();
		return size;
	case 6:
		return damage_section(bytes, size, &header);
	default:
		at = next_random() % size;
		break;
	}
	at &= ~(size_t)7;
	if (at < size && size - at >= sizeof(value))
		memcpy(bytes + at, &value, sizeof(value));
	return size;
}

/* A stack of random words, that mostly look like addresses in it. */
static bool unwind_one(const struct frame_info *frames, const struct frame_function *function)
{
	uint64_t stack[64], at = 0x7fff0000;
	struct frame_memory memory = { at, (const uint8_t *)stack, sizeof(stack) };
	struct frame_state state = { .known = next_random() };
	uint64_t address = function->start + next_random() % (function->end - function->start);
	struct frame_rules rules;

	for (size_t i = 0; i < sizeof(stack) / sizeof(*stack); i++)
		stack[i] = next_random() % 4 ? at + next_random() % sizeof(stack) : next_random();
	for (size_t i = 0; i < FRAME_REGISTERS; i++)
		state.registers[i] = at + next_random() % sizeof(stack);
	return frame_rules__find(&rules, frames, function, address) &&
	       frame_state__step(&state, &rules, frames, &memory) == FRAME_STEP_CALLER;
}

static size_t unwind(const char *path)
{
	struct frame_info frames = { 0 };
	struct elf_file file;
	struct error error = { 0 };
	size_t unwound = 0;

	if (elf_file__open(&file, path, path, &error)) {
		error__free(&error);
		elf_file__close(&file);
		return 0;
	}
	if (!frame_info__read(&frames, &file))
		for (size_t i = 0; i < frames.nr && i < 300; i++)
			unwound += unwind_one(&frames, &frames.all[i]);
	frame_info__free(&frames);
	elf_file__close(&file);
	return unwound;
}

/* How many there are, of which each says where it is or why it can't be measured. */
static size_t read_static_probes(const char *path)
{
	struct static_probes probes;
	struct error error = { 0 };
	size_t nr;

	static_probes__read(&probes, 0, path, &error);
	nr = probes.nr;
	static_probes__free(&probes);
	error__free(&error);
	return nr;
}

static bool find_section(const char *path, const char *name, uint64_t *offset, uint64_t *bytes)
{
	struct error error = { 0 };
	const Elf64_Shdr *section;
	struct elf_file file;

	if (elf_file__open(&file, path, path, &error))
		return false;
	section = elf_file__section(&file, name);
	if (section) {
		*offset = section->sh_offset;
		*bytes = section->sh_size;
	}
	elf_file__close(&file);
	return section;
}

int main(int argc, char **argv)
{
	static const char *const patterns[] = { "*", "main", "shop::*", "inlined_one" };
	uint8_t *original = malloc(MAX_BYTES), *bytes = malloc(MAX_BYTES);
	uint64_t damaged_at = 0, damaged_bytes = 0;
	size_t size, found = 0, failed = 0, functions = 0, unwound = 0, statics = 0;
	uint64_t slowest_ns = 0;
	char path[64];
	FILE *file;
	int fd;

	if (argc < 3 || !original || !bytes || !(file = fopen(argv[1], "re")))
		return 2;
	size = fread(original, 1, MAX_BYTES, file);
	fclose(file);
	if (argc > 3 && !find_section(argv[1], argv[3], &damaged_at, &damaged_bytes))
		return 2;
	snprintf(path, sizeof(path), "/tmp/kview-fuzz-XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 2;
	for (int round = 0; round < atoi(argv[2]); round++) {
		struct fn_query query = { .binary = path, .limit = 200 };
		size_t length = size;
		struct timespec begin, end;
		struct error error;
		struct fn_list list;
		uint64_t took_ns;

		memcpy(bytes, original, size);
		damage_named(bytes, size, damaged_at, damaged_bytes);
		for (int i = argc > 3 ? -1 : (int)(next_random() % 6); i >= 0 && length > sizeof(Elf64_Ehdr); i--)
			length = damage(bytes, length);
		if (ftruncate(fd, 0) || pwrite(fd, bytes, length, 0) != (ssize_t)length)
			return 2;
		query.pattern = patterns[round % 4];
		clock_gettime(CLOCK_MONOTONIC, &begin);
		if (fn_list__find(&list, &query, &error)) {
			failed++;
			error__free(&error);
		} else {
			found++;
			functions += list.nr;
			fn_list__free(&list);
		}
		unwound += unwind(path);
		statics += read_static_probes(path);
		clock_gettime(CLOCK_MONOTONIC, &end);
		took_ns = (end.tv_sec - begin.tv_sec) * 1000000000ull + end.tv_nsec - begin.tv_nsec;
		if (took_ns > slowest_ns)
			slowest_ns = took_ns;
	}
	printf("%zu answered with %zu functions, %zu refused, %zu frames unwound, %zu static probes, slowest %.1f ms\n", found, functions,
	       failed, unwound, statics, slowest_ns / 1e6);
	unlink(path);
	free(original);
	free(bytes);
	return 0;
}
