/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols that stand for other code, which is chosen when a program is loaded (ifuncs, for example
 * strlen): the code that a process uses for them, as its dynamic linker filled it in.
 */
#ifndef KVIEW_CHOSEN_H
#define KVIEW_CHOSEN_H

#include "lookup/frame_info.h"
#include "lookup/symbols.h"
#include "lookup/tail_files.h"

struct choice {
	const struct fn_symbol *symbol;	/* its address is that of the resolver, which chooses */
	uint64_t address;		/* of the code, in the file's address space; 0: not known */
	uint64_t size;
	bool is_elsewhere;		/* the code is in no file, but for example in the vDSO */
};

struct chosen {
	struct choice *all;		/* ascending by name */
	size_t nr;
};

/*
 * Reads the choices for all such symbols of the first file of files; none if it is not mapped.
 * symbols stay the caller's.  Returns -1 without memory; free in both cases.
 */
int chosen__read(struct chosen *chosen, const struct tail_files *files);
void chosen__free(struct chosen *chosen);

/* The choice for a symbol; NULL if it is not known. */
const struct choice *chosen__of(const struct chosen *chosen, const struct fn_symbol *symbol);

/* The name to show for a chosen function: strlen (__strlen_avx2).  The caller's, or NULL. */
char *chosen__name(const struct symbols *symbols, const char *name, uint64_t address);

/*
 * Adds the other symbols that stand for the same code to aliases, which belong to the function with
 * this name.  Returns the new array, or NULL if there are no aliases.
 */
char **chosen__add_aliases(const struct chosen *chosen, uint64_t address, const char *name,
			   char **aliases);

#endif
