// SPDX-License-Identifier: GPL-2.0
#include "survey/tree.h"

#include <stdlib.h>
#include <string.h>

typedef bool same_fn(const struct tree *tree, uint32_t index, const void *key);

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 31) * 0x9e3779b97f4a7c15ull;
	return value ^ value >> 29;
}

static void *grow(struct tree *tree, void *array, size_t *room, size_t nr, size_t size)
{
	size_t larger = *room ? 2 * *room : 1024;
	void *grown;

	if (nr < *room)
		return array;
	grown = realloc(array, larger * size);
	if (grown)
		*room = larger;
	else
		tree->no_memory = true;
	return grown ? grown : array;
}

static uint32_t *index__find(const struct tree *tree, const struct tree_index *index, uint64_t hash,
			     same_fn *same, const void *key)
{
	size_t at = hash & (index->room - 1);

	while (index->slots[at] && !same(tree, index->slots[at] - 1, key))
		at = (at + 1) & (index->room - 1);
	return &index->slots[at];
}

static uint64_t hash_function(const struct tree_function *f)
{
	return mix(f->start + mix((uint64_t)f->file << 1 | f->is_kernel));
}

static uint64_t hash_node(uint32_t parent, uint32_t function)
{
	return mix((uint64_t)parent << 32 | function);
}

static uint64_t hash_time(const struct tree_time *t)
{
	return mix(((uint64_t)t->node << 32 | t->tid) + mix(t->metric));
}

static uint64_t hash_of(const struct tree *tree, const struct tree_index *index, uint32_t i)
{
	if (index == &tree->by_function)
		return hash_function(&tree->functions[i]);
	if (index == &tree->by_node)
		return hash_node(tree->parents[i], tree->node_functions[i]);
	return hash_time(&tree->times[i]);
}

/* At most half full, so that a search ends soon. */
static bool index__make_room(struct tree *tree, struct tree_index *index, size_t nr)
{
	size_t room = index->room ? index->room : 2048, i, at;
	uint32_t *slots;

	while (room < 2 * (nr + 1))
		room *= 2;
	if (room == index->room)
		return true;
	slots = calloc(room, sizeof(*slots));
	if (!slots) {
		tree->no_memory = true;
		return false;
	}
	for (i = 0; i < nr; i++) {
		at = hash_of(tree, index, i) & (room - 1);
		while (slots[at])
			at = (at + 1) & (room - 1);
		slots[at] = i + 1;
	}
	free(index->slots);
	*index = (struct tree_index){ slots, room };
	return true;
}

int tree__init(struct tree *tree)
{
	*tree = (struct tree){ 0 };
	tree->parents = calloc(TREE_MAX_NODES, sizeof(*tree->parents));
	tree->node_functions = calloc(TREE_MAX_NODES, sizeof(*tree->node_functions));
	if (!tree->parents || !tree->node_functions)
		return -1;
	/* The start of all threads: its own parent, and no function's. */
	tree->node_functions[0] = TREE_NONE;
	tree->nr_nodes = 1;
	return index__make_room(tree, &tree->by_function, 0) && index__make_room(tree, &tree->by_node, 1) &&
	       index__make_room(tree, &tree->by_time, 0) ? 0 : -1;
}

void tree__free(struct tree *tree)
{
	free(tree->functions);
	free(tree->parents);
	free(tree->node_functions);
	free(tree->times);
	free(tree->by_function.slots);
	free(tree->by_node.slots);
	free(tree->by_time.slots);
}

static bool same_function(const struct tree *tree, uint32_t index, const void *key)
{
	const struct tree_function *a = &tree->functions[index], *b = key;

	return a->start == b->start && a->file == b->file && a->is_kernel == b->is_kernel;
}

uint32_t tree__function(struct tree *tree, const struct tree_function *function)
{
	uint32_t *slot;

	if (!index__make_room(tree, &tree->by_function, tree->nr_functions))
		return TREE_NONE;
	slot = index__find(tree, &tree->by_function, hash_function(function), same_function, function);
	if (*slot)
		return *slot - 1;
	tree->functions = grow(tree, tree->functions, &tree->room_functions, tree->nr_functions,
			       sizeof(*tree->functions));
	if (tree->nr_functions == tree->room_functions)
		return TREE_NONE;
	tree->functions[tree->nr_functions] = *function;
	*slot = ++tree->nr_functions;
	return *slot - 1;
}

struct node_key {
	uint32_t parent, function;
};

static bool same_node(const struct tree *tree, uint32_t index, const void *key)
{
	const struct node_key *k = key;

	return tree->parents[index] == k->parent && tree->node_functions[index] == k->function;
}

uint32_t tree__call(struct tree *tree, uint32_t parent, uint32_t function)
{
	const struct node_key key = { parent, function };
	uint32_t *slot;

	if (function == TREE_NONE || !index__make_room(tree, &tree->by_node, tree->nr_nodes))
		return TREE_NONE;
	slot = index__find(tree, &tree->by_node, hash_node(parent, function), same_node, &key);
	if (*slot)
		return *slot - 1;
	if (tree->nr_nodes == TREE_MAX_NODES)
		return TREE_NONE;
	tree->parents[tree->nr_nodes] = parent;
	tree->node_functions[tree->nr_nodes] = function;
	*slot = ++tree->nr_nodes;
	return *slot - 1;
}

static bool same_time(const struct tree *tree, uint32_t index, const void *key)
{
	const struct tree_time *a = &tree->times[index], *b = key;

	return a->node == b->node && a->tid == b->tid && a->metric == b->metric;
}

static bool count(struct tree *tree, const struct tree_time *time)
{
	struct tree_time *known;
	uint32_t *slot;

	if (!index__make_room(tree, &tree->by_time, tree->nr_times))
		return false;
	slot = index__find(tree, &tree->by_time, hash_time(time), same_time, time);
	if (*slot) {
		known = &tree->times[*slot - 1];
		known->ns += time->ns;
		known->stacks += time->stacks;
		return true;
	}
	/* A place is kept for each thread and cause at the root. */
	if (tree->nr_times >= TREE_MAX_TIMES && time->node)
		return false;
	tree->times = grow(tree, tree->times, &tree->room_times, tree->nr_times, sizeof(*tree->times));
	if (tree->nr_times == tree->room_times)
		return false;
	tree->times[tree->nr_times] = *time;
	*slot = ++tree->nr_times;
	return true;
}

void tree__count(struct tree *tree, const struct tree_time *time)
{
	struct tree_time at = *time;

	if (count(tree, &at))
		return;
	tree->pooled += time->stacks;
	while (at.node) {
		at.node = tree->parents[at.node];
		if (count(tree, &at))
			return;
	}
}

void tree__add_bare(struct tree *tree, uint32_t tid, uint8_t metric, uint64_t ns)
{
	tree->times = grow(tree, tree->times, &tree->room_times, tree->nr_times, sizeof(*tree->times));
	if (tree->nr_times < tree->room_times)
		tree->times[tree->nr_times++] = (struct tree_time){ .tid = tid, .metric = metric, .ns = ns };
}
