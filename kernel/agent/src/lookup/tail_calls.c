// SPDX-License-Identifier: GPL-2.0
#include "lookup/tail_calls.h"

#include <stdlib.h>
#include <string.h>

#define MAX_CONTINUATIONS 16
#define MAX_DEPTH 8

/* The continuations of one function, while they are collected. */
struct gathering {
	uint32_t nodes[MAX_CONTINUATIONS];
	uint8_t depth[MAX_CONTINUATIONS];
	bool followed[MAX_CONTINUATIONS];
	size_t nr, nr_sites;
};

/* The index of a node, which is added if it is new; -1 if there is no room. */
static int gather(struct gathering *all, uint32_t node, uint8_t depth)
{
	if (node == NOWHERE)
		return -1;
	for (size_t i = 0; i < all->nr; i++)
		if (all->nodes[i] == node)
			return i;
	if (all->nr == MAX_CONTINUATIONS)
		return -1;
	all->nodes[all->nr] = node;
	all->depth[all->nr] = depth;
	return all->nr++;
}

/*
 * A node is followed if all its ends are known, and each is a return or leads to a followed node.
 */
static void decide(const struct tail_nodes *nodes, struct gathering *all)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < all->nr; i++) {
			const struct tail_node *node = &nodes->all[all->nodes[i]];

			for (size_t k = 0; all->followed[i] && k < node->nr_sites; k++) {
				size_t to = 0;

				if (node->sites[k].kind == FN_SITE_RET)
					continue;
				while (to < all->nr && all->nodes[to] != node->to[k])
					to++;
				if (to < all->nr && all->followed[to])
					continue;
				all->followed[i] = false;
				changed = true;
			}
		}
	}
}

static int copy(const struct tail_nodes *nodes, struct gathering *all, size_t index,
		struct fn_continuation *to)
{
	const struct tail_node *node = &nodes->all[all->nodes[index]];
	const struct tail_file *in = node->file == NOWHERE ? NULL : &nodes->files.all[node->file];

	to->name = strdup(node->name);
	to->file_offset = node->file_offset;
	to->followed = all->followed[index];
	if (in && !in->is_own) {
		to->binary = strdup(in->mapped->path);
		to->open_path = strdup(in->open_path);
		to->file = in->id;
	}
	if (!to->name || (in && !in->is_own && (!to->binary || !to->open_path)))
		return -1;
	if (!node->known)
		return 0;
	to->sites = malloc((node->nr_sites + 1) * sizeof(*to->sites));
	if (!to->sites)
		return -1;
	to->nr_sites = node->nr_sites;
	for (size_t i = 0; i < node->nr_sites; i++) {
		to->sites[i] = node->sites[i];
		to->sites[i].goes_on = -1;
		for (size_t k = 0; k < all->nr; k++)
			if (node->to[i] == all->nodes[k])
				to->sites[i].goes_on = k;
	}
	return 0;
}

int tail_calls__follow(struct tail_nodes *nodes, struct fn_function *function)
{
	struct gathering all = { .nr = 0 };

	for (size_t i = 0; i < function->nr_sites; i++) {
		struct fn_site *site = &function->sites[i];

		site->goes_on = gather(&all, tail_nodes__of_site(nodes, 0, site), 1);
	}
	for (size_t i = 0; i < all.nr; i++) {
		uint32_t node = all.nodes[i];

		if (!nodes->all[node].examined && tail_nodes__examine(nodes, node))
			return -1;
		all.followed[i] = nodes->all[node].known &&
				  all.nr_sites + nodes->all[node].nr_sites <= MAX_SITES;
		if (!all.followed[i])
			continue;
		all.nr_sites += nodes->all[node].nr_sites;
		for (size_t k = 0; all.depth[i] < MAX_DEPTH && k < nodes->all[node].nr_sites; k++)
			gather(&all, nodes->all[node].to[k], all.depth[i] + 1);
	}
	decide(nodes, &all);
	if (!all.nr)
		return 0;
	function->goes_on = calloc(all.nr, sizeof(*function->goes_on));
	if (!function->goes_on)
		return -1;
	function->nr_goes_on = all.nr;
	for (size_t i = 0; i < all.nr; i++)
		if (copy(nodes, &all, i, &function->goes_on[i]))
			return -1;
	return 0;
}

char **fn_function__goes_on_unseen(const struct fn_function *function, size_t *nr)
{
	char **names = calloc(function->nr_goes_on + 1, sizeof(*names));

	*nr = 0;
	for (size_t i = 0; names && i < function->nr_goes_on; i++)
		if (!function->goes_on[i].followed)
			names[(*nr)++] = function->goes_on[i].name;
	return names;
}
