// SPDX-License-Identifier: GPL-2.0
#include "stacks/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "mechanism/mechanism.h"
#include "permission/permission.h"
#include "stacks/file.h"

#define MAX_FILES	1024
/* What the frames and symbols of all files may take together. */
#define MAX_FILE_BYTES	(256U << 20)
#define CACHED_RULES	4096		/* a power of two */
#define CACHED_SYMBOLS	4096		/* a power of two */
/* How many letters of names are compared to find functions by their parts: a second or so. */
#define MAX_COMPARED	(1ULL << 30)
/* A process that makes new code all the time is not looked at all the time. */
#define MAX_LOOKS	30
#define NO_FILE		UINT32_MAX

struct cached_rules {
	uint64_t address;
	uint32_t file;			/* + 1; 0: none */
	bool is_understood;
	struct frame_rules rules;
};

struct cached_symbol {
	uint64_t address;
	uint32_t file;			/* + 1; 0: none */
	uint64_t start;
	const char *name;
};

struct stack_code {
	pid_t pid;
	struct process_files maps;
	uint32_t *file_of;		/* of maps.code: indexes in files, or NO_FILE */
	struct stack_file *files;
	size_t nr_files;
	uint64_t vdso;
	bool missed;			/* an address was met that is not mapped */
	unsigned int looks;
	struct origins *origins;	/* of jumps; NULL: it has none */
	struct cached_rules *cache;
	struct cached_symbol *symbols;
	uint64_t room;			/* bytes, for frames and symbols */
	uint64_t may_compare;		/* letters of names */
};

static uint32_t file__known(const struct stack_code *code, const struct mapped_file *mapped)
{
	uint32_t i;

	for (i = 0; i < code->nr_files; i++)
		if (code->files[i].inode == mapped->inode && code->files[i].device == mapped->device &&
		    !strcmp(code->files[i].path, mapped->path))
			return i;
	return NO_FILE;
}

static struct stack_file *file__add(struct stack_code *code)
{
	struct stack_file *grown;

	if (code->nr_files >= MAX_FILES)
		return NULL;
	grown = realloc(code->files, (code->nr_files + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	code->files = grown;
	return &grown[code->nr_files++];
}

static void open_new_files(struct stack_code *code)
{
	struct stack_file *file;
	size_t i;

	for (i = 0; i < code->maps.nr; i++) {
		const struct mapped_file *mapped = &code->maps.all[i];

		if (!mapped->is_executable || file__known(code, mapped) != NO_FILE)
			continue;
		file = file__add(code);
		if (file && !stack_file__open(file, mapped, code->pid))
			code->nr_files--;
	}
	if (!code->vdso) {
		code->vdso = vdso__of(code->pid);
		file = code->vdso ? file__add(code) : NULL;
		if (file && !stack_file__open_vdso(file, code->vdso))
			code->nr_files--;
	}
}

static uint32_t file__of_piece(const struct stack_code *code, const struct mapped_code *piece)
{
	uint32_t i;

	for (i = 0; i < code->nr_files; i++) {
		const struct stack_file *file = &code->files[i];

		if (file->inode ? file->inode == piece->inode && file->device == piece->device :
				  code->vdso >= piece->start && code->vdso < piece->end)
			return i;
	}
	return NO_FILE;
}

/* What was opened stays open: code that is not mapped any more may be in stacks that come. */
static int look(struct stack_code *code, struct error *error)
{
	struct process_files maps = { 0 };
	struct reading reading;
	uint32_t *file_of;
	int result;
	size_t i;

	if (reading__begin(&reading, code->pid, NULL, error))
		return -1;
	result = process_files__read(&maps, code->pid, error);
	if (!result) {
		process_files__free(&code->maps);
		code->maps = maps;
		mechanism__free_origins(code->origins);
		code->origins = mechanism__origins(code->pid);
		open_new_files(code);
	}
	if (reading__end(&reading, code->pid, &result, error) || result)
		return -1;
	file_of = realloc(code->file_of, (code->maps.nr_code + 1) * sizeof(*file_of));
	if (!file_of)
		return error__set(error, ERR_FAILED, "Out of memory.");
	code->file_of = file_of;
	for (i = 0; i < code->maps.nr_code; i++)
		file_of[i] = file__of_piece(code, &code->maps.code[i]);
	return 0;
}

struct stack_code *stack_code__new(pid_t pid, struct error *error)
{
	struct stack_code *code = calloc(1, sizeof(*code));

	if (code) {
		code->cache = calloc(CACHED_RULES, sizeof(*code->cache));
		code->symbols = calloc(CACHED_SYMBOLS, sizeof(*code->symbols));
	}
	if (!code || !code->cache || !code->symbols) {
		error__set(error, ERR_FAILED, "Out of memory.");
		stack_code__free(code);
		return NULL;
	}
	code->pid = pid;
	code->room = MAX_FILE_BYTES;
	code->may_compare = MAX_COMPARED;
	if (look(code, error)) {
		stack_code__free(code);
		return NULL;
	}
	return code;
}

void stack_code__free(struct stack_code *code)
{
	size_t i;

	if (!code)
		return;
	for (i = 0; i < code->nr_files; i++)
		stack_file__close(&code->files[i]);
	free(code->files);
	free(code->file_of);
	free(code->cache);
	free(code->symbols);
	process_files__free(&code->maps);
	mechanism__free_origins(code->origins);
	free(code);
}

bool stack_code__follow(struct stack_code *code)
{
	struct error ignored = { 0 };

	code->missed |= code->origins && !mechanism__are_current(code->origins, code->pid);
	if (!code->missed || code->looks >= MAX_LOOKS)
		return false;
	code->missed = false;
	code->looks++;
	/* Where it fails the process has ended, or is another program: what is known stays. */
	look(code, &ignored);
	error__free(&ignored);
	return true;
}

const struct process_files *stack_code__maps(const struct stack_code *code)
{
	return &code->maps;
}

void stack_code__leave_jumps(const struct stack_code *code, const struct frame_memory *memory, struct frame_state *state)
{
	mechanism__leave_jumps(code->origins, memory, state);
}

static const struct mapped_code *piece__at(const struct stack_code *code, uint64_t ip)
{
	size_t next = partition_point(code->maps.nr_code, i, code->maps.code[i].start <= ip);

	return next && ip < code->maps.code[next - 1].end ? &code->maps.code[next - 1] : NULL;
}

bool stack_code__find(struct stack_code *code, uint64_t ip, struct stack_place *place)
{
	const struct mapped_code *piece = piece__at(code, ip);
	struct stack_file *file;

	if (!piece) {
		code->missed = true;
		return false;
	}
	place->file = code->file_of[piece - code->maps.code];
	if (place->file == NO_FILE || !code->files[place->file].is_open)
		return false;
	file = &code->files[place->file];
	stack_file__load(file, &code->room);
	place->address = ip - file->bias;
	place->frame = frame_info__at(&file->frames, place->address);
	return true;
}

static uint64_t hash_of(const struct stack_place *place)
{
	return (place->address ^ (uint64_t)place->file << 40) * 0x9e3779b97f4a7c15ull >> 40;
}

const struct frame_rules *stack_code__rules(struct stack_code *code, const struct stack_place *place)
{
	struct cached_rules *cached = &code->cache[hash_of(place) & (CACHED_RULES - 1)];

	if (cached->file != place->file + 1 || cached->address != place->address) {
		cached->file = place->file + 1;
		cached->address = place->address;
		cached->is_understood = frame_rules__find(&cached->rules, &code->files[place->file].frames,
							  place->frame, place->address);
	}
	return cached->is_understood ? &cached->rules : NULL;
}

size_t stack_code__nr_files(const struct stack_code *code)
{
	return code->nr_files;
}

const struct stack_file *stack_code__file(const struct stack_code *code, uint32_t index)
{
	return &code->files[index];
}

/* The function of which this is a part: the symbol of the name before ".cold". */
static const struct fn_symbol *whole_of(const struct symbols *symbols, const char *part, uint64_t *may_compare)
{
	size_t length = strstr(part, ".cold") - part, same, i;

	for (i = 0; i < symbols->nr && *may_compare; i++) {
		const char *name = symbols->all[i].name;

		for (same = 0; same < length && name[same] == part[same]; same++)
			;
		*may_compare -= same < *may_compare ? same + 1 : *may_compare;
		if (same == length && !name[length])
			return &symbols->all[i];
	}
	return NULL;
}

static const struct fn_symbol *part__at(const struct symbols *symbols, uint64_t address, uint64_t *may_compare)
{
	size_t i;

	for (i = 0; i < symbols->nr_parts && *may_compare; i++, --*may_compare)
		if (address - symbols->parts[i].address < symbols->parts[i].size)
			return &symbols->parts[i];
	return NULL;
}

/* The last one that begins at or before the address, and may reach it. */
static const struct fn_symbol *symbol__around(const struct symbols *symbols, uint64_t address)
{
	const struct fn_symbol *symbol;
	size_t next = partition_point(symbols->nr, i, symbols->all[symbols->by_address[i]].address <= address);

	if (!next)
		return NULL;
	/* The best known one of those at that address is the first. */
	symbol = symbols__at(symbols, symbols->all[symbols->by_address[next - 1]].address);
	return symbol && (!symbol->size || address - symbol->address < symbol->size) ? symbol : NULL;
}

static const char *find_symbol(struct stack_code *code, const struct stack_place *place, uint64_t *start)
{
	const struct symbols *symbols = &code->files[place->file].symbols;
	const struct fn_symbol *symbol = NULL, *whole;

	*start = place->frame ? place->frame->start : place->address;
	if (symbols->nr)
		symbol = place->frame ? symbols__at(symbols, place->frame->start) : NULL;
	if (!symbol && symbols->nr)
		symbol = symbol__around(symbols, place->address);
	if (!symbol)
		symbol = part__at(symbols, place->address, &code->may_compare);
	if (!symbol)
		return NULL;
	if (symbol__is_cold_part(symbol->name)) {
		whole = whole_of(symbols, symbol->name, &code->may_compare);
		symbol = whole ? whole : symbol;
	}
	*start = symbol->address;
	return symbol->name;
}

const char *stack_code__symbol(struct stack_code *code, const struct stack_place *place,
				uint64_t *start)
{
	struct cached_symbol *cached = &code->symbols[hash_of(place) & (CACHED_SYMBOLS - 1)];

	if (cached->file != place->file + 1 || cached->address != place->address) {
		cached->file = place->file + 1;
		cached->address = place->address;
		cached->name = find_symbol(code, place, &cached->start);
	}
	*start = cached->start;
	return cached->name;
}
