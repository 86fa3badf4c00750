// SPDX-License-Identifier: GPL-2.0
#include "mechanism/process_tree.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/cutoff.h"
#include "base/usage.h"
#include "mechanism/bpf/tree.h"
#include "mechanism/bpf_access.h"
#include "mechanism/kernel_types.h"
#include "mechanism/mechanism.h"
#include "tree.skel.h"

#define CPU_LOOKS	3
/* Of more processes than these the CPU time is summed up in the kernel, where one look at the host's threads takes less. */
#define MOST_ASKED	256

static int refused(int failed, struct error *error)
{
	return error__set(error, failed == EPERM || failed == EACCES ? ERR_NO_PERMISSION : ERR_UNSUPPORTED,
			  "The kernel refused what follows the process's children: %s.", strerror(failed));
}

struct process_tree *process_tree__new(pid_t first, struct error *error)
{
	struct process_tree *tree;

	if (bpf_access__prepare(error))
		return NULL;
	tree = calloc(1, sizeof(*tree));
	if (!tree) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	tree->first = first;
	tree->map = bpf_map_create(BPF_MAP_TYPE_HASH, "tree", sizeof(uint32_t), sizeof(struct tree_process), TREE_MOST, NULL);
	if (tree->map >= 0)
		return tree;
	refused(errno, error);
	free(tree);
	return NULL;
}

void process_tree__free(struct process_tree *tree)
{
	size_t i;

	if (!tree)
		return;
	for (i = 0; i < 2; i++)
		if (tree->links[i])
			cutoff__remove(bpf_link__fd(tree->links[i]));
	for (i = 0; i < 2; i++)
		bpf_link__destroy(tree->links[i]);
	tree_bpf__destroy(tree->programs);
	close(tree->map);
	free(tree);
}

static int tree__load(struct process_tree *tree, const struct mechanism_load *load, struct error *error)
{
	int failed;

again:
	tree->programs = tree_bpf__open_opts(kernel_types__opts());
	if (!tree->programs)
		return error__set(error, ERR_FAILED, "Out of memory.");
	tree->programs->rodata->has_inner = load->inner_fd >= 0;
	tree->programs->rodata->marks_programs = load->marks_fd >= 0;
	if (bpf_access__share(tree->programs->maps.tree, tree->map, error) ||
	    bpf_access__share(tree->programs->maps.inner_threads, load->inner_fd, error) ||
	    bpf_access__share(tree->programs->maps.program_marks, load->marks_fd, error))
		return -1;
	failed = tree_bpf__load(tree->programs);
	if (failed && kernel_types__join()) {
		tree_bpf__destroy(tree->programs);
		goto again;
	}
	return failed ? refused(-failed, error) : 0;
}

static int tree__link(struct process_tree *tree, struct error *error)
{
	struct bpf_program *const programs[] = { tree->programs->progs.process_forks, tree->programs->progs.process_is_freed };
	size_t i;

	for (i = 0; i < 2; i++) {
		tree->links[i] = bpf_program__attach(programs[i]);
		if (!tree->links[i])
			return refused(errno, error);
		cutoff__add(bpf_link__fd(tree->links[i]));
	}
	return 0;
}

bool process_tree__has(const struct process_tree *tree, pid_t pid)
{
	struct tree_process process;
	uint32_t key = pid;

	return !bpf_map_lookup_elem(tree->map, &key, &process);
}

/* Whose parent has ended is another's child now, and not found. */
int process_tree__follow(struct process_tree *tree, const struct mechanism_load *load, struct error *error)
{
	const volatile __u64 *found;
	uint64_t before;

	if (tree__load(tree, load, error) || tree__link(tree, error))
		return -1;
	found = &tree->programs->bss->found;
	tree->programs->bss->first_tgid = tree->first;
	tree->programs->bss->agent_tgid = getpid();
	do {
		before = *found;
		tree->programs->bss->no_room = 0;
		bpf_access__visit_tasks(tree->programs->progs.add_processes);
	} while (*found != before);
	return process_tree__has(tree, tree->first) ? 0 : error__set(error, ERR_NO_SUCH_PROCESS, "Process %d has ended.", tree->first);
}

size_t process_tree__processes(const struct process_tree *tree, pid_t *pids, size_t most)
{
	uint32_t pid, *before = NULL;
	size_t nr = 0;

	while (nr < most && !bpf_map_get_next_key(tree->map, before, &pid)) {
		pids[nr++] = pid;
		before = &pid;
	}
	return nr;
}

static uint64_t tree__ended_ns(const struct process_tree *tree)
{
	return tree->programs ? *(const volatile __u64 *)&tree->programs->bss->ended_ns : 0;
}

static uint64_t tree__running_ns(const struct process_tree *tree)
{
	pid_t pids[MOST_ASKED + 1];
	size_t nr = process_tree__processes(tree, pids, MOST_ASKED + 1), i;
	uint64_t taken_ns = 0;

	if (nr > MOST_ASKED && tree->programs) {
		tree->programs->bss->running_ns = 0;
		bpf_access__visit_tasks(tree->programs->progs.sum_cpu_time);
		return *(const volatile __u64 *)&tree->programs->bss->running_ns;
	}
	for (i = 0; i < nr; i++)
		taken_ns += usage__process_cpu_ns(pids[i]);
	return taken_ns;
}

/*
 * Who ends meanwhile is in neither for a moment, so that it could be less than before.  Where somebody always ends meanwhile, what is
 * told lacks these until the next time.
 */
uint64_t process_tree__cpu_ns(struct process_tree *tree)
{
	uint64_t taken_ns = 0, ended_ns = tree__ended_ns(tree);
	bool ended = true;
	int look;

	for (look = 0; look < CPU_LOOKS && ended; look++) {
		taken_ns = ended_ns + tree__running_ns(tree);
		ended = ended_ns != tree__ended_ns(tree);
		ended_ns = tree__ended_ns(tree);
	}
	if (taken_ns > tree->taken_ns)
		tree->taken_ns = taken_ns;
	return tree->taken_ns;
}

const char *process_tree__note(struct process_tree *tree)
{
	const volatile struct tree_bpf__bss *counts = tree->programs ? tree->programs->bss : NULL;
	unsigned long long missing = counts ? counts->not_followed + counts->no_room : 0;

	int length = 0;

	*tree->note = 0;
	if (counts && counts->has_agent)
		length = snprintf(tree->note, sizeof(tree->note), "The agent, process %d, is one of the tree's, and is left out.", getpid());
	if (missing)
		snprintf(tree->note + length, sizeof(tree->note) - length,
			 "%s%llu children could not be followed, as more than %d processes of the tree were there at a time: their calls are not measured, nor those of their children.",
			 length ? " " : "", missing, TREE_MOST);
	return tree->note;
}
