/* SPDX-License-Identifier: GPL-2.0 */
/* The versions of a library's exported symbols: foo@VER is an old foo, foo@@VER the one in use. */
#ifndef KVIEW_VERSIONS_H
#define KVIEW_VERSIONS_H

#include "lookup/elf_file.h"

struct versions {
	struct elf_bytes of_symbols;	/* one number each */
	uint32_t *names;		/* by number: within the names of the dynamic symbols, 0: none */
};

/* Those of file's dynamic symbols; all without a version where it has none that can be read. */
void versions__read(struct versions *versions, const struct elf_file *file);
void versions__free(struct versions *versions);

/*
 * The version of a symbol by its index, as it stands in the names of the dynamic symbols; NULL
 * if it has none.  is_old: it is not what a program linked now gets.
 */
const char *versions__of(const struct versions *versions, const struct elf_bytes *names,
			 size_t symbol, bool *is_old);

#endif
