/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions that were met while calls were followed, and where they lead.  Each is there once.
 */
#ifndef KVIEW_TAIL_NODES_H
#define KVIEW_TAIL_NODES_H

#include "lookup/code.h"
#include "lookup/tail_files.h"

/* The sites of all continuations of one function together; beyond this, they are not followed. */
#define MAX_SITES 256

struct tail_node {
	uint32_t file;
	uint64_t address, file_offset;
	char *name;
	bool examined, known;		/* known: sites has all its ends */
	struct fn_site *sites;
	size_t nr_sites;
	uint32_t *to;			/* the node to which each site leads, or NOWHERE */
};

struct tail_nodes {
	struct tail_files files;
	struct tail_node *all;
	size_t nr, room;
	uint32_t *table;		/* hash table by file and address: index + 1; 0: none */
	size_t table_size;
};

/* file, symbols and frames stay the caller's.  Returns -1 without memory; free in both cases. */
int tail_nodes__init(struct tail_nodes *nodes, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames);
void tail_nodes__free(struct tail_nodes *nodes);

/* The node to which a site of a function in this file leads, or NOWHERE. */
uint32_t tail_nodes__of_site(struct tail_nodes *nodes, uint32_t file, const struct fn_site *site);

/* Decodes a node's function: its ends, and where they lead.  Returns -1 without memory. */
int tail_nodes__examine(struct tail_nodes *nodes, uint32_t index);

/*
 * Why the code that was read from this file can't have probes in the process; NULL: nothing is
 * known against it.
 */
const char *tail_nodes__reason_against(struct tail_nodes *nodes, uint32_t file,
				       const struct code *code);

#endif
