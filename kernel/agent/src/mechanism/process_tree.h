/* SPDX-License-Identifier: GPL-2.0 */
/* A process with those that it has forked, those that these have forked, and so on, now and later. */
#ifndef KVIEW_PROCESS_TREE_H
#define KVIEW_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct bpf_link;
struct mechanism_load;
struct tree_bpf;

struct process_tree {
	pid_t first;
	int map;			/* bpf/scope.bpf.h */
	struct tree_bpf *programs;	/* NULL: it is not followed so far */
	struct bpf_link *links[2];
	uint64_t taken_ns;		/* what was told last */
	char note[400];
};

/* Nobody is in it so far.  NULL: error is filled. */
struct process_tree *process_tree__new(pid_t first, struct error *error);
/* NULL is allowed. */
void process_tree__free(struct process_tree *tree);
/*
 * From now on those that it forks belong to it, and those that are there already.  load: as the mechanisms that are loaded have it, so
 * that they count nothing of what is done for this.  Returns 0, or -1 with error filled.
 */
int process_tree__follow(struct process_tree *tree, const struct mechanism_load *load, struct error *error);

/* Whether a process of that number is in it now. */
bool process_tree__has(const struct process_tree *tree, pid_t pid);
/* Numbers of those that there are now, most at most.  Returns how many. */
size_t process_tree__processes(const struct process_tree *tree, pid_t *pids, size_t most);
/* What they have had of the CPUs, those with them that have ended. */
uint64_t process_tree__cpu_ns(struct process_tree *tree);
/* A sentence about those that could not be followed; or "". */
const char *process_tree__note(struct process_tree *tree);

#endif
