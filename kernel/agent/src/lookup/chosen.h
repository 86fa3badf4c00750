/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbols that stand for other code, chosen when a program is loaded (ifuncs, as strlen is): what
 * a process uses for them, as its dynamic linker filled it in.
 */
#ifndef KVIEW_CHOSEN_H
#define KVIEW_CHOSEN_H

#include "lookup/frame_info.h"
#include "lookup/symbols.h"
#include "lookup/tail_files.h"

struct choice {
	const struct fn_symbol *symbol;	/* whose address is that of what chooses */
	uint64_t address;		/* of the code, in the file's address space; 0: not known */
	uint64_t size;
	bool is_elsewhere;		/* it is in no file, as in the kernel's vDSO */
};

struct chosen {
	struct choice *all;		/* ascending by name */
	size_t nr;
};

/*
 * Reads them for all such symbols of the file that files begins with; of none where it is not
 * mapped.  symbols stay the caller's.  Returns -1 without memory; free either way.
 */
int chosen__read(struct chosen *chosen, const struct tail_files *files);
void chosen__free(struct chosen *chosen);

/* What a symbol stands for, NULL if nothing tells. */
const struct choice *chosen__of(const struct chosen *chosen, const struct fn_symbol *symbol);

/* How a function is shown that was chosen: strlen (__strlen_avx2).  The caller's, or NULL. */
char *chosen__name(const struct symbols *symbols, const char *name, uint64_t address);

/*
 * Adds the other symbols that stand for the same code to aliases, a function's that has this
 * name.  Returns the new ones, or NULL without any.
 */
char **chosen__add_aliases(const struct chosen *chosen, uint64_t address, const char *name,
			   char **aliases);

#endif
