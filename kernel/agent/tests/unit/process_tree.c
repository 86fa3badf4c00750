// SPDX-License-Identifier: GPL-2.0
/* A process tree that has no room for all children that are there as it begins: how many those are is told. */
#include <stdio.h>
#include <string.h>

#include <bpf/bpf.h>

#include "check.h"
#include "child.h"
#include "mechanism/bpf/tree.h"
#include "mechanism/mechanism.h"
#include "mechanism/process_tree.h"

#define CHILDREN	5
/* Beyond these (PID_MAX_LIMIT) no process has a number. */
#define NOBODY		4194305U

static void do_nothing(const struct own_child *child, int how)
{
	(void)child, (void)how;
}

/* With as much as room for some of them and their parent. */
static void tree__fill(const struct process_tree *tree, uint32_t room)
{
	const struct tree_process nobody = { 0 };
	uint32_t pid;

	for (pid = NOBODY; pid < NOBODY + TREE_MOST - room; pid++)
		bpf_map_update_elem(tree->map, &pid, &nobody, BPF_ANY);
}

int main(void)
{
	const struct mechanism_load load = { .inner_fd = -1, .marks_fd = -1 };
	struct own_child children[CHILDREN];
	struct process_tree *tree;
	unsigned long long told = 0;
	struct error error = { 0 };
	size_t there = 0, i;

	for (i = 0; i < CHILDREN; i++)
		children[i] = child__start(do_nothing, 0);
	tree = process_tree__new(getpid(), &error);
	if (!tree) {
		printf("ok no tree can be made here: %s\n", error.message);
		return 0;
	}
	tree__fill(tree, 3);
	check(!process_tree__follow(tree, &load, &error), "it is followed", 0);
	for (i = 0; i < CHILDREN; i++)
		there += process_tree__has(tree, children[i].pid);
	check(there == 2 && process_tree__has(tree, getpid()), "those for whom there is room are in it", there);
	sscanf(process_tree__note(tree), "%llu children could not be followed", &told);
	check(told == CHILDREN - 2, "and how many others there are is told", told);
	process_tree__free(tree);
	for (i = 0; i < CHILDREN; i++)
		child__end(&children[i]);
	return failed;
}
