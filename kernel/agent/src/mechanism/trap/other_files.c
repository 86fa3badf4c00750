// SPDX-License-Identifier: GPL-2.0
#include "mechanism/trap/other_files.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/loop.h"
#include "lookup/process_files.h"
#include "mechanism/process_tree.h"
#include "mechanism/trap/trap_state.h"
#include "processes/cgroup.h"

#define FILTER_NOTE "Filtered by the %s in the eBPF programs: the probes are in all processes of the host that run the same files. Each process outside the %s that comes to one pays for the trap, which is counted and is part of what the budget holds. Each recording that runs costs other processes about 0.2 µs at each of their context switches."

/* The inode alone is no proof: where files lie in layers, maps may have another one than stat. */
static bool is_another(const struct mapped_file *mapped, const struct fn_list *list, pid_t pid)
{
	char path[4200];
	struct stat there;

	if (strcmp(mapped->path, list->binary) || mapped->inode == list->file.inode)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/root%s", pid, mapped->path);
	return mapped->deleted || stat(path, &there) || there.st_ino != list->file.inode || there.st_dev != list->file.device;
}

/* The path of such a file, of lists; NULL: it has none. */
static const char *process__other(pid_t pid, const struct fn_list *lists, size_t nr)
{
	const char *path = NULL;
	struct process_files files;
	struct error ignored = { 0 };
	size_t i, k;

	if (!process_files__read(&files, pid, &ignored))
		for (i = 0; i < files.nr && !path; i++)
			for (k = 0; k < nr && !path; k++)
				path = is_another(&files.all[i], &lists[k], pid) ? lists[k].binary : NULL;
	process_files__free(&files);
	error__free(&ignored);
	return path;
}

static bool is_measured(const struct trap *trap, pid_t pid)
{
	struct error no_member = { 0 };

	return trap->tree ? process_tree__has(trap->tree, pid) : !cgroup__check_member(trap->cgroup, pid, &no_member);
}

const char *other_files__tell(const struct trap *trap, char *note, size_t size)
{
	const char *path, *first_path = NULL, *group = trap->tree ? "process tree" : "cgroup";
	const struct fn_list *lists;
	size_t nr_lists = probes__lists(trap->probes, &lists), nr = 0;
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	pid_t pid, first = 0;
	size_t length = snprintf(note, size, FILTER_NOTE, group, group);

	while (proc && (entry = readdir(proc))) {
		loop__breathe();
		pid = atoi(entry->d_name);
		if (pid <= 0 || !is_measured(trap, pid))
			continue;
		path = process__other(pid, lists, nr_lists);
		if (!path)
			continue;
		if (!nr++) {
			first = pid;
			first_path = path;
		}
	}
	if (proc)
		closedir(proc);
	if (nr == 1)
		snprintf(note + length, size - length, " Process %d of the %s has another file as %.200s than the one that was found: its calls are not measured.",
			 first, group, first_path);
	else if (nr)
		snprintf(note + length, size - length, " %zu processes of the %s, %d among them, have other files than those that were found, as %.200s: their calls are not measured.",
			 nr, group, first, first_path);
	return note;
}
