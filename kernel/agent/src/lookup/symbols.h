/* SPDX-License-Identifier: GPL-2.0 */
/* The function symbols of a file, from .symtab, .dynsym and its separate debug file. */
#ifndef KVIEW_SYMBOLS_H
#define KVIEW_SYMBOLS_H

#include "elf_file.h"

struct fn_symbol {
	const char *name;	/* within struct symbols */
	uint64_t address;	/* in the file's address space */
	uint64_t size;		/* bytes, 0 if not known */
	bool chosen_at_load;	/* STT_GNU_IFUNC: the address is that of its resolver */
	bool is_global;
};

struct symbols {
	struct fn_symbol *all;
	size_t nr;
	bool has_locals;	/* a .symtab was found, else exported functions alone */
	struct elf_bytes names[3];
};

/*
 * debug may be NULL.  Returns 0 also if there are none at all; -1 with error filled where
 * there are too many or no memory.
 */
int symbols__load(struct symbols *symbols, const struct elf_file *file,
		  const struct elf_file *debug, struct fn_error *error);
void symbols__free(struct symbols *symbols);

/* The lowest address of a function above this one; UINT64_MAX if there is none. */
uint64_t symbols__next_address(const struct symbols *symbols, uint64_t address);

/*
 * The parts of functions that the compiler moved away (NAME.cold, NAME.part.0 and so on),
 * ordered by name.  The array is the caller's, the names within symbols.
 */
struct fn_symbol *symbols__partitions(const struct symbols *symbols, size_t *nr);
/* Whether name is that of a part of the function. */
bool symbol__is_partition_of(const char *name, const char *function);

#endif
