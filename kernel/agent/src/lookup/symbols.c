// SPDX-License-Identifier: GPL-2.0
#include "lookup/names.h"
#include "lookup/symbols.h"
#include "lookup/versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/partition_point.h"
#include "base/sort.h"

#define MAX_SYMBOLS 4000000
#define MAX_ALIASES 64
#define MAX_NAME_BYTES (512u << 20)
#define MAX_VERSIONED 100000
#define MAX_VERSIONED_LETTERS 4096
/* A symbol whose name is longer counts as one without a name. */
#define MAX_LETTERS (64u << 10)
/*
 * Names may share their bytes: a hostile file has millions of them, each the rest of one long text.  All together
 * have at most so many letters for each byte of the tables of symbols and of names.  Compilers' files have about one.
 */
#define LETTERS_OF_A_BYTE 4

/* The letters that may be read yet.  False: name is too long, and the letters may be used up. */
static bool may_read(const char *name, size_t most, uint64_t *letters)
{
	size_t length = strnlen(name, (*letters < most ? *letters : most) + 1);

	if (length > *letters) {
		*letters = 0;
		return false;
	}
	*letters -= length;
	return length <= most;
}

/* Adds the version to the name of an old symbol, whose name is otherwise that of the one in use. */
static void add_version(struct symbols *symbols, struct fn_symbol *symbol,
			const struct versions *versions, const struct elf_bytes *names, size_t index,
			uint64_t *letters)
{
	bool is_old;
	const char *version = versions__of(versions, names, index, &is_old);
	char *name;

	if (!version || !is_old) {
		symbol->version = version;
		return;
	}
	if (symbols->nr_versioned == MAX_VERSIONED || !may_read(version, MAX_VERSIONED_LETTERS, letters) ||
	    !may_read(symbol->name, MAX_VERSIONED_LETTERS, letters) ||
	    asprintf(&name, "%s@%s", symbol->name, version) < 0)
		return;
	symbols->versioned[symbols->nr_versioned++] = name;
	symbols->versioned_bytes += strlen(name) + 1;
	symbol->name = name;
}

static int add_table(struct symbols *symbols, const struct elf_file *file, uint32_t type,
		     struct elf_bytes *names, struct error *error)
{
	const Elf64_Shdr *section = elf_file__section_of_type(file, type);
	struct versions versions = { 0 };
	struct fn_symbol *grown;
	struct elf_bytes table;
	uint64_t letters;
	size_t count;
	int result = 0;

	if (!section || section->sh_entsize != sizeof(Elf64_Sym) ||
	    section->sh_link >= file->nr_sections)
		return 0;
	if (section->sh_size / sizeof(Elf64_Sym) > MAX_SYMBOLS)
		return error__set(error, ERR_TOO_MANY,
			"The file has more than %d symbols; strip some of its debug symbols.",
			MAX_SYMBOLS);
	if (elf_file__read_section(file, section, SIZE_MAX, &table))
		return 0;
	if (elf_file__read_section(file, &file->sections[section->sh_link], MAX_NAME_BYTES, names)) {
		free(table.data);
		return 0;
	}
	count = table.length / sizeof(Elf64_Sym);
	grown = realloc(symbols->all, (symbols->nr + count + 1) * sizeof(*grown));
	if (!grown) {
		free(table.data);
		return error__set(error, ERR_FAILED, "No memory for %zu symbols.", count);
	}
	symbols->all = grown;
	if (type == SHT_DYNSYM)
		versions__read(&versions, file);
	if (versions.names && !symbols->versioned)
		symbols->versioned = calloc(MAX_VERSIONED, sizeof(*symbols->versioned));
	letters = LETTERS_OF_A_BYTE * ((uint64_t)table.length + names->length);
	for (size_t i = 0; i < count && letters; i++) {
		Elf64_Sym symbol;
		int kind;

		memcpy(&symbol, table.data + i * sizeof(symbol), sizeof(symbol));
		kind = ELF64_ST_TYPE(symbol.st_info);
		if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || !symbol.st_value ||
		    symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS ||
		    symbol.st_name >= names->length || !names->data[symbol.st_name] ||
		    !may_read((char *)names->data + symbol.st_name, MAX_LETTERS, &letters))
			continue;
		symbols->all[symbols->nr++] = (struct fn_symbol){
			.name = (char *)names->data + symbol.st_name,
			.address = symbol.st_value,
			.size = symbol.st_size,
			.chosen_at_load = kind == STT_GNU_IFUNC,
			.is_global = ELF64_ST_BIND(symbol.st_info) != STB_LOCAL,
		};
		if (symbols->versioned)
			add_version(symbols, &symbols->all[symbols->nr - 1], &versions, names, i, &letters);
	}
	if (count && !letters)
		result = error__set(error, ERR_TOO_MANY,
			"The names of the file's symbols are too long to be read, as they overlap: use a copy of it that is not damaged.");
	versions__free(&versions);
	free(table.data);
	return result;
}

static const char *partition_suffix(const char *name)
{
	const char *cold = strstr(name, ".cold"), *part = strstr(name, ".part.");

	return cold && (!part || cold < part) ? cold : part;
}

static bool is_part(const struct fn_symbol *symbol)
{
	return symbol->size && partition_suffix(symbol->name);
}

/* Parts of which an address has several are parts of functions that have the same code. */
static int compare_parts(const void *a, const void *b)
{
	const struct fn_symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int find_parts(struct symbols *symbols)
{
	size_t nr = 0;

	for (size_t i = 0; i < symbols->nr; i++)
		nr += is_part(&symbols->all[i]);
	symbols->parts = malloc((nr + 1) * sizeof(*symbols->parts));
	if (!symbols->parts)
		return -1;
	for (size_t i = 0; i < symbols->nr; i++)
		if (is_part(&symbols->all[i]))
			symbols->parts[symbols->nr_parts++] = symbols->all[i];
	sort(symbols->parts, nr, sizeof(*symbols->parts), compare_parts);
	return 0;
}

static int compare_own(const void *a, const void *b)
{
	const struct fn_symbol *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The size that the file's own tables give for a function at this address; 0: they have none. */
static uint64_t own_size(const struct fn_symbol *own, size_t nr, const struct frame_info *frames,
			 uint64_t address)
{
	const struct frame_function *frame = frames ? frame_info__at(frames, address) : NULL;
	const struct fn_symbol wanted = { .address = address }, *symbol;

	if (frame && frame->start == address)
		return frame->end - frame->start;
	symbol = bsearch(&wanted, own, nr, sizeof(*own), compare_own);
	return symbol ? symbol->size : 0;
}

/*
 * Anybody may have made a separate debug file: its names are believed, its addresses are not.  A
 * probe in the middle of an instruction would change what the program does.
 */
static int doubt(struct symbols *symbols, size_t nr_own, const struct frame_info *frames)
{
	size_t nr_apart = symbols->nr - nr_own, kept = nr_own;
	struct fn_symbol *own = malloc((symbols->nr + 1) * sizeof(*own)), *doubted;

	if (!own)
		return -1;
	memcpy(own, symbols->all, nr_own * sizeof(*own));
	sort(own, nr_own, sizeof(*own), compare_own);
	doubted = own + nr_own;
	for (size_t i = nr_own; i < symbols->nr; i++) {
		struct fn_symbol symbol = symbols->all[i];
		uint64_t size = own_size(own, nr_own, frames, symbol.address);

		if (!size) {
			symbol.is_doubted = true;
			doubted[symbols->nr_doubted++] = symbol;
			continue;
		}
		if (!symbol.size || symbol.size > size)
			symbol.size = size;
		symbols->all[kept++] = symbol;
	}
	memcpy(symbols->all + kept, doubted, symbols->nr_doubted * sizeof(*doubted));
	symbols->nr = nr_own + nr_apart - symbols->nr_doubted;
	free(own);
	return 0;
}

static const struct symbols *sorting;	/* the agent has one thread */

static int compare_places(const void *a, const void *b)
{
	const struct fn_symbol *x = &sorting->all[*(const uint32_t *)a];
	const struct fn_symbol *y = &sorting->all[*(const uint32_t *)b];

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->is_global != y->is_global)
		return x->is_global ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int sort_by_address(struct symbols *symbols)
{
	symbols->by_address = malloc((symbols->nr + 1) * sizeof(*symbols->by_address));
	if (!symbols->by_address)
		return -1;
	for (size_t i = 0; i < symbols->nr; i++)
		symbols->by_address[i] = i;
	sorting = symbols;
	sort(symbols->by_address, symbols->nr, sizeof(*symbols->by_address), compare_places);
	return 0;
}

int symbols__load(struct symbols *symbols, const struct elf_file *file, const struct elf_file *debug,
		  const struct frame_info *frames, struct error *error)
{
	size_t exported;

	*symbols = (struct symbols){ 0 };
	if (add_table(symbols, file, SHT_DYNSYM, &symbols->names[0], error))
		goto failed;
	exported = symbols->nr;
	if (add_table(symbols, file, SHT_SYMTAB, &symbols->names[1], error))
		goto failed;
	if (symbols->nr == exported && debug &&
	    add_table(symbols, debug, SHT_SYMTAB, &symbols->names[2], error))
		goto failed;
	symbols->has_locals = symbols->nr > exported;
	if ((debug && debug->is_apart && doubt(symbols, exported, frames)) || find_parts(symbols) || sort_by_address(symbols)) {
		error__set(error, ERR_FAILED, "No memory for the symbols.");
		goto failed;
	}
	return 0;
failed:
	symbols__free(symbols);
	return -1;
}

void symbols__free(struct symbols *symbols)
{
	free(symbols->all);
	free(symbols->parts);
	free(symbols->by_address);
	for (size_t i = 0; i < symbols->nr_versioned; i++)
		free(symbols->versioned[i]);
	free(symbols->versioned);
	for (size_t i = 0; i < sizeof(symbols->names) / sizeof(symbols->names[0]); i++)
		free(symbols->names[i].data);
	*symbols = (struct symbols){ 0 };
}

/* The first index in by_address whose symbol is not below an address. */
static size_t first_from(const struct symbols *symbols, uint64_t address)
{
	return partition_point(symbols->nr, i, symbols->all[symbols->by_address[i]].address < address);
}

uint64_t symbols__next_address(const struct symbols *symbols, uint64_t address)
{
	size_t at = address == UINT64_MAX ? symbols->nr : first_from(symbols, address + 1);

	return at < symbols->nr ? symbols->all[symbols->by_address[at]].address : UINT64_MAX;
}

const struct fn_symbol *symbols__at(const struct symbols *symbols, uint64_t address)
{
	size_t at = first_from(symbols, address);
	const struct fn_symbol *symbol = at < symbols->nr ?
		&symbols->all[symbols->by_address[at]] : NULL;

	return symbol && symbol->address == address ? symbol : NULL;
}

char **symbols__aliases(const struct symbols *symbols, uint64_t address, const char *name)
{
	size_t first = first_from(symbols, address), room = 0, nr = 0, length = strlen(name);
	char **aliases;

	while (first + room < symbols->nr && room < MAX_ALIASES &&
	       symbols->all[symbols->by_address[first + room]].address == address)
		room++;
	if (room < 2)
		return NULL;
	aliases = calloc(room + 1, sizeof(*aliases));
	for (size_t i = first; aliases && i < first + room; i++) {
		const char *other = symbols->all[symbols->by_address[i]].name;
		/* NAME@@VERSION is the same as NAME. */
		bool known = !strncmp(other, name, length) &&
			     (!other[length] || !strncmp(other + length, "@@", 2));

		for (size_t k = first; k < i && !known; k++)
			known = !strcmp(symbols->all[symbols->by_address[k]].name, other);
		if (!known)
			aliases[nr++] = name__printable(other);
	}
	return aliases;
}

bool symbol__is_cold_part(const char *name)
{
	const char *suffix = partition_suffix(name);

	return suffix && suffix > name && !strncmp(suffix, ".cold", 5);
}

bool symbols__has_address(const struct symbols *symbols, uint64_t address)
{
	return symbols__at(symbols, address);
}

static bool part_is_below(const struct fn_symbol *part, uint64_t address, const char *function, const char *suffix)
{
	int order = part->address < address ? -1 : part->address > address;
	size_t length = strlen(function);

	if (!order)
		order = strncmp(part->name, function, length);
	return order ? order < 0 : strcmp(part->name + length, suffix) < 0;
}

/* The first part that begins behind an address, or there with a name that is not below this one. */
static size_t first_part_from(const struct symbols *symbols, uint64_t address, const char *function, const char *suffix)
{
	return partition_point(symbols->nr_parts, i, part_is_below(&symbols->parts[i], address, function, suffix));
}

/* The same for parts that begin at an address, and whose names go on so behind the function's. */
static const struct fn_symbol *part_of(const struct symbols *symbols, const char *function, const char *suffix,
				       uint64_t begin, uint64_t address)
{
	size_t at = first_part_from(symbols, begin, function, suffix), end = at + MAX_ALIASES, length = strlen(function);

	for (; at < symbols->nr_parts && at < end; at++) {
		const struct fn_symbol *part = &symbols->parts[at];

		if (part->address != begin || strncmp(part->name, function, length) ||
		    strncmp(part->name + length, suffix, strlen(suffix)))
			break;
		if (address - begin < part->size)
			return part;
	}
	return NULL;
}

const struct fn_symbol *symbols__part_of(const struct symbols *symbols, const char *function,
					  uint64_t address)
{
	size_t behind = address == UINT64_MAX ? symbols->nr_parts : first_part_from(symbols, address + 1, "", "");
	const struct fn_symbol *part;
	uint64_t begin;

	if (!behind)
		return NULL;
	/* Parts do not overlap: the last one that begins at the address or before it. */
	begin = symbols->parts[behind - 1].address;
	part = part_of(symbols, function, ".cold", begin, address);
	return part ? part : part_of(symbols, function, ".part.", begin, address);
}
