// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are made so that reading them takes as many steps as the product of two of their lengths.  Counted is what
 * the functions of C that go through texts see of them: it is linked with --wrap for each.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/lookup/frame_cie.h"
#include "../../src/lookup/symbols.h"

#define SYMBOLS 4000
/* For each byte of a file, at most: the letters that are allowed, some times, and log2 of the symbols to sort them. */
#define STEPS_OF_A_BYTE 100

static int failed;
static uint64_t steps;

size_t __real_strlen(const char *text);
size_t __real_strnlen(const char *text, size_t most);
char *__real_strstr(const char *text, const char *wanted);
int __real_strcmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t most);
void *__real_memchr(const void *bytes, int wanted, size_t most);

size_t __wrap_strlen(const char *text)
{
	size_t length = __real_strlen(text);

	steps += length;
	return length;
}

size_t __wrap_strnlen(const char *text, size_t most)
{
	size_t length = __real_strnlen(text, most);

	steps += length;
	return length;
}

char *__wrap_strstr(const char *text, const char *wanted)
{
	char *found = __real_strstr(text, wanted);

	steps += found ? (size_t)(found - text) : __real_strlen(text);
	return found;
}

static size_t same_letters(const char *a, const char *b, size_t most)
{
	size_t same = 0;

	while (same < most && a[same] == b[same] && a[same])
		same++;
	return same;
}

int __wrap_strcmp(const char *a, const char *b)
{
	steps += same_letters(a, b, SIZE_MAX);
	return __real_strcmp(a, b);
}

int __wrap_strncmp(const char *a, const char *b, size_t most)
{
	steps += same_letters(a, b, most);
	return __real_strncmp(a, b, most);
}

void *__wrap_memchr(const void *bytes, int wanted, size_t most)
{
	const char *found = __real_memchr(bytes, wanted, most);

	steps += found ? (size_t)(found - (const char *)bytes) : most;
	return (void *)found;
}

static void check(bool good, const char *name, const char *figure)
{
	printf("%s %s %s\n", good ? "ok" : "FAIL", name, figure);
	failed += !good;
}

/* A file of a table of symbols, of which each one's name begins a step behind that of the last one, and of one text. */
static void make(struct elf_file *file, size_t nr, size_t step, size_t letters, const char *end)
{
	size_t names = letters + strlen(end) + 1, table = nr * sizeof(Elf64_Sym), at = sizeof(Elf64_Ehdr);
	size_t bytes = at + 3 * sizeof(Elf64_Shdr) + table + names;
	uint8_t *data = calloc(1, bytes);
	Elf64_Shdr *sections = (Elf64_Shdr *)(data + at);
	Elf64_Sym *symbols = (Elf64_Sym *)(sections + 3);
	Elf64_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_machine = EM_X86_64,
		.e_phentsize = sizeof(Elf64_Phdr), .e_phoff = at, .e_shoff = at, .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
	};
	int fd = memfd_create("made", MFD_CLOEXEC);
	struct error error = { 0 };

	at += 3 * sizeof(*sections);
	memcpy(data, &header, sizeof(header));
	sections[1] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_entsize = sizeof(*symbols), .sh_offset = at,
				    .sh_size = table, .sh_link = 2 };
	sections[2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = at + table, .sh_size = names };
	for (size_t i = 0; i < nr; i++)
		symbols[i] = (Elf64_Sym){ .st_name = i * step, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1,
					  .st_value = 0x1000 + 16 * i, .st_size = 16 };
	memset(data + at + table, 'a', letters);
	strcpy((char *)data + at + table + letters, end);
	if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || elf_file__take(file, fd, bytes, "made", &error))
		exit(2);
	free(data);
}

/* wanted: how many symbols are read of it; 0: it is refused. */
static void check_names(const char *name, size_t nr, size_t step, size_t letters, const char *end, size_t wanted)
{
	struct symbols symbols = { 0 };
	struct elf_file file;
	struct error error = { 0 };
	char figure[96];
	bool loaded;

	make(&file, nr, step, letters, end);
	steps = 0;
	loaded = !symbols__load(&symbols, &file, NULL, NULL, &error);
	snprintf(figure, sizeof(figure), "%llu steps for %llu bytes, %zu symbols", (unsigned long long)steps,
		 (unsigned long long)file.size, symbols.nr);
	check(steps < STEPS_OF_A_BYTE * file.size && (wanted ? loaded : !loaded && error.code == ERR_TOO_MANY) &&
	      symbols.nr == wanted, name, figure);
	symbols__free(&symbols);
	error__free(&error);
	elf_file__close(&file);
}

/* The parts of a function, among those of many others whose names begin as its own. */
static void check_parts(void)
{
	struct symbols symbols = { 0 };
	struct elf_file file;
	struct error error = { 0 };
	const struct fn_symbol *part;
	char function[SYMBOLS], figure[64];

	make(&file, 100, 1, 100, ".cold");
	check(!symbols__load(&symbols, &file, NULL, NULL, &error) && symbols.nr_parts == 100, "parts of functions", "");
	memset(function, 'a', 50);
	function[50] = 0;
	steps = 0;
	part = symbols__part_of(&symbols, function, 0x1000 + 16 * 50 + 3);
	snprintf(figure, sizeof(figure), "%llu steps", (unsigned long long)steps);
	check(part && part->address == 0x1000 + 16 * 50 && steps < 50 * 20, "one of them is found", figure);
	check(!symbols__part_of(&symbols, function, 0x1000 + 16 * 51), "but not another function's", "");
	symbols__free(&symbols);
	elf_file__close(&file);
}

/* The parts of functions that all have one name, as functions that are static in their files may. */
static void check_parts_of_one_name(void)
{
	struct symbols symbols = { 0 };
	struct elf_file file;
	struct error error = { 0 };
	const struct fn_symbol *part;
	char figure[64];

	make(&file, SYMBOLS, 0, 4, ".cold");
	check(!symbols__load(&symbols, &file, NULL, NULL, &error) && symbols.nr_parts == SYMBOLS, "parts of one name", "");
	steps = 0;
	part = symbols__part_of(&symbols, "aaaa", 0x1000 + 16 * (SYMBOLS - 1) + 3);
	snprintf(figure, sizeof(figure), "%llu steps", (unsigned long long)steps);
	check(part && part->address == 0x1000 + 16 * (SYMBOLS - 1) && steps < 4 * 100, "the last of them is found", figure);
	check(!symbols__part_of(&symbols, "aaaa", 0x1000 + 16 * SYMBOLS) && !symbols__part_of(&symbols, "aaaa", 0xfff),
	      "and none beside them", "");
	symbols__free(&symbols);
	elf_file__close(&file);
}

/* A record that many functions share, with a number of so many bytes, and so many letters of what it has. */
static bool read_shared(size_t number_bytes, size_t letters)
{
	size_t length = 64 + number_bytes + letters, at = 9;
	struct elf_bytes bytes = { calloc(1, length), length };
	struct frame_cie cie;
	uint32_t record = length - 4;
	bool read;

	memcpy(bytes.data, &record, sizeof(record));
	bytes.data[8] = 1;
	bytes.data[at++] = 'z';
	for (size_t i = 1; i < letters; i++)
		bytes.data[at++] = 'B';
	at++;
	memset(bytes.data + at, 0x80, number_bytes - 1);	/* the number ends with the 0 behind it */
	read = frame_cie__read(&bytes, 0, &cie);
	free(bytes.data);
	return read;
}

/* Instructions that do nothing, and then that the frame is at rsp + 8, in what all functions share. */
static enum frame_cfa_kind walk_shared(size_t nothings)
{
	size_t length = 32 + nothings, at = 9;
	struct frame_info info = { .bytes = { calloc(1, length), length } };
	const struct frame_function function = { .start = 0x1000, .end = 0x1010 };
	struct frame_walk walk;
	uint32_t record = length - 4;

	memcpy(info.bytes.data, &record, sizeof(record));
	info.bytes.data[8] = 1;
	at += 1 + 3 + nothings;	/* no letters; three numbers, that are 0 */
	memcpy(info.bytes.data + at, (const uint8_t[]){ 0x0c, 7, 8 }, 3);
	frame_walk__init(&walk, &info, &function);
	free(info.bytes.data);
	return walk.now.kind;
}

static void check_frames(void)
{
	check(read_shared(1, 1) && read_shared(16, 1), "a record that functions share", "");
	check(!read_shared(17, 1) && !read_shared(1000000, 1), "one with an endless number", "");
	check(read_shared(1, 30), "one with many letters", "");
	steps = 0;
	check(!read_shared(1, 1000000) && steps < 1000, "one with letters without end", "");
	check(walk_shared(1000) == FRAME_CFA_REGISTER, "one with many instructions", "");
	check(walk_shared(1000000) == FRAME_CFA_UNKNOWN, "one with instructions without end", "");
}

int main(void)
{
	check_names("many symbols of one short name", SYMBOLS, 0, 80, ".cold", SYMBOLS);
	check_names("of one that is too long for so many", SYMBOLS, 0, 200, ".cold", 0);
	check_names("names that are the rest of one text each", SYMBOLS, 1, 1 << 18, "", 0);
	check_names("the same of parts", SYMBOLS, 1, 1 << 18, ".cold", 0);
	check_names("a name of 64 KiB", 1, 0, 1 << 16, "", 1);
	check_names("two, one of which is longer", 2, 1, (1 << 16) + 1, "", 1);
	check_parts();
	check_parts_of_one_name();
	check_frames();
	return failed ? 1 : 0;
}
