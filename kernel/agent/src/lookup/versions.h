/* SPDX-License-Identifier: GPL-2.0 */
/* The versions of a library's exported symbols: foo@VER is an old foo, foo@@VER the present one. */
#ifndef KVIEW_VERSIONS_H
#define KVIEW_VERSIONS_H

#include "lookup/elf_file.h"

struct versions {
	struct elf_bytes of_symbols;	/* one number for each symbol */
	uint32_t *names;		/* by number: offset in the symbols' names; 0: none */
};

/* Reads the versions of file's dynamic symbols; leaves all without one if they can't be read. */
void versions__read(struct versions *versions, const struct elf_file *file);
void versions__free(struct versions *versions);

/*
 * The version of the symbol with this index, as a text within the dynamic symbols' names; NULL if
 * it has none.  is_old: a program that is linked now would not get this one.
 */
const char *versions__of(const struct versions *versions, const struct elf_bytes *names,
			 size_t symbol, bool *is_old);

#endif
