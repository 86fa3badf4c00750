/* SPDX-License-Identifier: GPL-2.0 */
/* The function symbols of a file, from .symtab, .dynsym and its separate debug file. */
#ifndef KVIEW_SYMBOLS_H
#define KVIEW_SYMBOLS_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"

struct fn_symbol {
	const char *name;	/* owned by struct symbols; NAME@VERSION for an old version */
	const char *version;	/* NULL: none, or it is part of the name */
	uint64_t address;	/* in the file's address space */
	uint64_t size;		/* bytes, 0 if not known */
	bool chosen_at_load;	/* STT_GNU_IFUNC: the address is that of its resolver */
	bool is_global;
	bool was_chosen;	/* of a match: the address is that of the chosen code */
	bool is_doubted;	/* the file itself does not say that a function begins here */
};

struct symbols {
	struct fn_symbol *all;
	size_t nr;
	size_t nr_doubted;	/* after the others in all: only their names may be used */
	bool has_locals;	/* there is a .symtab; otherwise only exported functions are known */
	struct elf_bytes names[3];
	char **versioned;		/* names with an added version */
	size_t nr_versioned, versioned_bytes;
	/* Parts that compilers moved away: NAME.cold, NAME.part.0 and so on; by address. */
	struct fn_symbol *parts;
	size_t nr_parts;
	uint32_t *by_address;		/* indexes in all, ascending by address, global ones first */
};

/*
 * debug, and the file's own frames, may be NULL.  A symbol of a separate debug file counts only if
 * the file's own tables have a function that begins there, and it is no longer than they say; all
 * others are doubted.  Returns 0, also if there are no symbols; -1 with error filled if there are
 * too many, or more letters in their names than the file has bytes for, or without memory.  A symbol with
 * a name of more than 64 KiB is none.
 */
int symbols__load(struct symbols *symbols, const struct elf_file *file,
		  const struct elf_file *debug, const struct frame_info *frames,
		  struct error *error);
void symbols__free(struct symbols *symbols);

/* The lowest address of a function above this one; UINT64_MAX if there is none. */
uint64_t symbols__next_address(const struct symbols *symbols, uint64_t address);

/* The part of a function that contains this address; NULL if there is none. */
const struct fn_symbol *symbols__part_of(const struct symbols *symbols, const char *function,
					  uint64_t address);
/*
 * Whether a symbol is a part that is not a function itself: code jumps to it, but never calls it.
 */
bool symbol__is_cold_part(const char *name);
/*
 * The other names of the function at this address; NULL-terminated, freed by the caller; or NULL.
 */
char **symbols__aliases(const struct symbols *symbols, uint64_t address, const char *name);
/* The best known symbol of the function that begins here; NULL if none does. */
const struct fn_symbol *symbols__at(const struct symbols *symbols, uint64_t address);
bool symbols__has_address(const struct symbols *symbols, uint64_t address);

#endif
