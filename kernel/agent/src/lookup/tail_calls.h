/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where calls go on that leave their function by a jump: followed from function to function,
 * in a process also into other files, as far as the slots that it jumps through are filled.
 */
#ifndef KVIEW_TAIL_CALLS_H
#define KVIEW_TAIL_CALLS_H

#include "elf_file.h"
#include "frame_info.h"
#include "process_files.h"
#include "symbols.h"

struct tail_file;
struct tail_node;

struct tail_calls {
	pid_t pid;
	struct process_files maps;
	struct tail_file *files;	/* the first is that of the search */
	size_t nr_files;
	struct tail_node *nodes;	/* the functions that were met, each once */
	size_t nr_nodes, room;
	uint32_t *table;		/* of nodes by place, 0: none, else the index + 1 */
	size_t table_size;
};

/* file, symbols and frames stay the caller's.  Returns -1 without memory; free either way. */
int tail_calls__init(struct tail_calls *calls, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames);
void tail_calls__free(struct tail_calls *calls);

/* Fills function's goes_on, and that of its sites.  Returns -1 without memory. */
int tail_calls__follow(struct tail_calls *calls, struct fn_function *function);

#endif
