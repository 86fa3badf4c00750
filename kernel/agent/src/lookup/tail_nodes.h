/* SPDX-License-Identifier: GPL-2.0 */
/* The functions that were met while calls were followed, each once, and where they lead. */
#ifndef KVIEW_TAIL_NODES_H
#define KVIEW_TAIL_NODES_H

#include "lookup/code.h"
#include "lookup/tail_files.h"

/* Of what calls go on in, all together: more of them are not followed. */
#define MAX_SITES 256

struct tail_node {
	uint32_t file;
	uint64_t address, file_offset;
	char *name;
	bool examined, known;		/* known: sites are all its ends */
	struct fn_site *sites;
	size_t nr_sites;
	uint32_t *to;			/* the node that each site leads to, or NOWHERE */
};

struct tail_nodes {
	struct tail_files files;
	struct tail_node *all;
	size_t nr, room;
	uint32_t *table;		/* of nodes by place, 0: none, else the index + 1 */
	size_t table_size;
};

/* file, symbols and frames stay the caller's.  Returns -1 without memory; free either way. */
int tail_nodes__init(struct tail_nodes *nodes, pid_t pid, const char *open_path,
		     struct elf_file *file, struct symbols *symbols, struct frame_info *frames);
void tail_nodes__free(struct tail_nodes *nodes);

/* The node that a site of a function of a file leads to, or NOWHERE. */
uint32_t tail_nodes__of_site(struct tail_nodes *nodes, uint32_t file, const struct fn_site *site);

/* Decodes a function that was met: its ends, and where they lead.  Returns -1 without memory. */
int tail_nodes__examine(struct tail_nodes *nodes, uint32_t index);

/*
 * Why code that was read of a file of nodes can't have probes in the process; NULL: nothing is
 * known against it.
 */
const char *tail_nodes__reason_against(struct tail_nodes *nodes, uint32_t file,
				       const struct code *code);

#endif
