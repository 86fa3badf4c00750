/* SPDX-License-Identifier: GPL-2.0 */
/* Who is measured, for mechanisms: bpf/scope.bpf.h tells their eBPF programs. */
#ifndef KVIEW_SCOPE_H
#define KVIEW_SCOPE_H

#include <stdbool.h>

#include "mechanism/mechanism.h"
#include "mechanism/process_tree.h"
#include "processes/cgroup.h"

struct bpf_map;

/* The cgroup's path as a request names it; NULL: one process is measured. */
static inline const char *scope__cgroup(const Kview__Wire__StartRecordingRequest *request)
{
	return request->n_scopes && request->scopes[0]->kind_case == KVIEW__WIRE__SCOPE__KIND_CGROUP ?
		request->scopes[0]->cgroup->path : NULL;
}

/* Whether more than one process is measured: all of a cgroup, or one with its children. */
static inline bool scope__is_group(const Kview__Wire__StartRecordingRequest *request)
{
	return request->n_scopes && (scope__cgroup(request) ||
				     request->scopes[0]->kind_case == KVIEW__WIRE__SCOPE__KIND_PROCESS_TREE);
}

/* The skeleton is open: sets what has to be known before it is loaded.  cgroup: NULL if none is measured. */
#define SCOPE_CHOOSE(skel, measured) do {						\
	(skel)->rodata->by_cgroup = (measured) != NULL;					\
	(skel)->rodata->cgroup_level = (measured) ? (measured)->level : 0;		\
} while (0)

/* Likewise, of mechanisms that measure process trees; tree: NULL if none is measured. */
#define SCOPE_CHOOSE_TREE(skel, tree) ((skel)->rodata->by_tree = (tree) != NULL)

/* Before load: the map of the tree's processes, likewise. */
int scope__share_tree(struct bpf_map *map, const struct mechanism_load *load, struct error *error);
/* Before load: the map of processes that came to points is one for all mechanisms.  Returns 0, or -1 with error filled. */
int scope__share_members(struct bpf_map *map, const struct mechanism_load *load, struct error *error);
/* That map; -1 with error filled. */
int scope__make_members(struct error *error);

#endif
