/* SPDX-License-Identifier: GPL-2.0 */
/* The file in which functions are searched, and what is known about it. */
#ifndef KVIEW_SEARCH_H
#define KVIEW_SEARCH_H

#include "lookup/chosen.h"
#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/functions.h"
#include "lookup/symbols.h"
#include "lookup/tail_nodes.h"

/* The state of one search. */
struct search {
	const struct fn_query *query;
	struct elf_file file, debug;
	bool has_debug;
	struct symbols symbols;
	struct frame_info frames;
	struct tail_nodes tail_nodes;
	struct chosen chosen;		/* read if a match is such a symbol */
	bool is_go;
	bool has_mangled;		/* names that are not mangled need not be C then */
	bool allows_uretprobes;
	bool has_shadow_stacks;		/* of the process */
};

/* Sets error to "out of memory" and returns -1. */
int search__no_memory(struct error *error);

/* Finds the file that a query means, and fills list's binary and open_path.  -1 with error. */
int search__resolve(struct fn_list *list, const struct fn_query *query, struct error *error);

/*
 * Opens list's file and fills list's file.  In search, query is set, file.fd is -1, and all else is
 * zero.  Returns 0, or -1 with error; close in both cases.
 */
int search__open(struct search *search, struct fn_list *list, struct error *error);
void search__close(struct search *search);

/*
 * In how many places the function that was searched is inlined into its callers, according to debug
 * information that is at hand.  0 for a glob, and if there is too much to read for this alone.
 */
size_t search__inlined_places(const struct search *search);

/* Sets error: nothing has that name, and why, or which names are similar.  Returns -1. */
int search__not_found(const struct search *search, const struct fn_list *list,
		      struct error *error);

#endif
