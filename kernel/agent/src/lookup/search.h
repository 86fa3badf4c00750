/* SPDX-License-Identifier: GPL-2.0 */
/* The file that a search for functions looks in, and what is known of it. */
#ifndef KVIEW_SEARCH_H
#define KVIEW_SEARCH_H

#include "lookup/chosen.h"
#include "lookup/elf_file.h"
#include "lookup/frame_info.h"
#include "lookup/functions.h"
#include "lookup/symbols.h"
#include "lookup/tail_nodes.h"

/* What one search works with. */
struct search {
	const struct fn_query *query;
	struct elf_file file, debug;
	bool has_debug;
	struct symbols symbols;
	struct frame_info frames;
	struct tail_nodes tail_nodes;
	struct chosen chosen;		/* read when a match is one */
	bool is_go;
	bool has_mangled;		/* so that unmangled names need not be C */
	bool allows_uretprobes;
	bool has_shadow_stacks;		/* the process */
};

/* Sets error to that the memory is exhausted; returns -1. */
int search__no_memory(struct error *error);

/* Finds the file that a query means: list's binary and open_path.  Returns -1 with error. */
int search__resolve(struct fn_list *list, const struct fn_query *query, struct error *error);

/*
 * Opens list's file, and fills its file.  search has its query set, file.fd -1 and all else zero.  Returns -1 with
 * error; close either way.
 */
int search__open(struct search *search, struct fn_list *list, struct error *error);
void search__close(struct search *search);

/*
 * In how many places what was looked for is part of its callers, as debug information that is at
 * hand tells; 0 of a glob, and where there is more of it than is read by the way.
 */
size_t search__inlined_places(const struct search *search);

/* Sets error to that nothing has the name that was looked for, and why or what is near; -1. */
int search__not_found(const struct search *search, const struct fn_list *list,
		      struct error *error);

#endif
