/* SPDX-License-Identifier: GPL-2.0 */
/* The tree of calls that a survey has seen, the functions in it, and the time in each node. */
#ifndef KVIEW_SURVEY_TREE_H
#define KVIEW_SURVEY_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_MAX_NODES		150000
#define TREE_MAX_TIMES		300000
#define TREE_NONE		UINT32_MAX

struct tree_function {
	uint32_t file;		/* and 1; 0: none */
	bool is_kernel;
	uint64_t start;		/* tells functions of a file, or of the kernel, apart */
	const char *symbol;	/* belongs to the file; NULL: none */
};

struct tree_time {
	uint32_t node, tid;
	uint8_t metric;
	uint32_t stacks;
	uint64_t ns;
};

/* A hash table of indexes. */
struct tree_index {
	uint32_t *slots;	/* and 1; 0: free */
	size_t room;		/* a power of two */
};

struct tree {
	struct tree_function *functions;
	uint32_t *parents, *node_functions;
	struct tree_time *times;
	size_t nr_functions, nr_nodes, nr_times;
	size_t room_functions, room_nodes, room_times;
	struct tree_index by_function, by_node, by_time;
	uint64_t pooled;	/* stacks that count in a shorter one */
	bool no_memory;
};

/* -1: no memory. */
int tree__init(struct tree *tree);
void tree__free(struct tree *tree);
/* TREE_NONE: no memory. */
uint32_t tree__function(struct tree *tree, const struct tree_function *function);
/* The call of a function from a node; TREE_NONE: there is no room. */
uint32_t tree__call(struct tree *tree, uint32_t parent, uint32_t function);
/* Counts time in a node; where there is no room, in the one that it was called from. */
void tree__count(struct tree *tree, const struct tree_time *time);
/* Time without a stack, at the root; after it nothing may be counted. */
void tree__add_bare(struct tree *tree, uint32_t tid, uint8_t metric, uint64_t ns);

#endif
