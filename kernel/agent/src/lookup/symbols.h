/* SPDX-License-Identifier: GPL-2.0 */
/* The function symbols of a file, from .symtab, .dynsym and its separate debug file. */
#ifndef KVIEW_SYMBOLS_H
#define KVIEW_SYMBOLS_H

#include "lookup/elf_file.h"
#include "lookup/frame_info.h"

struct fn_symbol {
	const char *name;	/* within struct symbols; of an old version NAME@VERSION */
	const char *version;	/* of the others; NULL: none, or it is part of the name */
	uint64_t address;	/* in the file's address space */
	uint64_t size;		/* bytes, 0 if not known */
	bool chosen_at_load;	/* STT_GNU_IFUNC: the address is that of its resolver */
	bool is_global;
	bool was_chosen;	/* of a match: the address is that of the code it stands for */
	bool is_doubted;	/* nothing in the file itself says that a function begins here */
};

struct symbols {
	struct fn_symbol *all;
	size_t nr;
	size_t nr_doubted;	/* behind the others in all: names to tell of, no places */
	bool has_locals;	/* a .symtab was found, else exported functions alone */
	struct elf_bytes names[3];
	char **versioned;		/* names that were put together */
	size_t nr_versioned;
	/* NAME.cold, NAME.part.0 and so on, which compilers moved away; ordered by name. */
	struct fn_symbol *parts;
	size_t nr_parts;
	uint32_t *by_address;		/* indexes in all, ascending by address, global ones first */
};

/*
 * debug and frames (the file's own) may be NULL.  Of a debug file that is apart a symbol counts
 * only where the file's own tables have the beginning of a function, and no further than they
 * say that it goes; the rest is doubted.  Returns 0 also if there are none at all; -1 with error
 * filled where there are too many or no memory.
 */
int symbols__load(struct symbols *symbols, const struct elf_file *file,
		  const struct elf_file *debug, const struct frame_info *frames,
		  struct error *error);
void symbols__free(struct symbols *symbols);

/* The lowest address of a function above this one; UINT64_MAX if there is none. */
uint64_t symbols__next_address(const struct symbols *symbols, uint64_t address);

/* The part of a function that has this address, NULL if none has. */
const struct fn_symbol *symbols__part_of(const struct symbols *symbols, const char *function,
					  uint64_t address);
/* Whether a symbol is a part that is no function by itself: only jumped to, not called. */
bool symbol__is_cold_part(const char *name);
/* All but the one of this name that begin here; NULL-terminated and the caller's, or NULL. */
char **symbols__aliases(const struct symbols *symbols, uint64_t address, const char *name);
/* The function that begins here, as people know it; NULL if none does. */
const struct fn_symbol *symbols__at(const struct symbols *symbols, uint64_t address);
bool symbols__has_address(const struct symbols *symbols, uint64_t address);

#endif
