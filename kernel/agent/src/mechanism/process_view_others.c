// SPDX-License-Identifier: GPL-2.0
/* Others who trace the same process in views of theirs: what their programs take lies within the calls that are measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libkview.h>

#include "mechanism/process_view.h"
#include "processes/processes.h"

#define CGROUPS		"/sys/fs/cgroup"
#define ROOT_INODE	1	/* of the hierarchy; another one is a namespace's, above which nothing can be seen */

/* Whether the directory, or one above it within the hierarchy, has that number; VIEW_OTHERS_UNKNOWN: one can't be seen. */
static enum view_others directory__is_in(char *path, size_t root, uint64_t cgroup)
{
	enum view_others is_in = VIEW_OTHERS_NONE;
	struct stat stat_of = { 0 };
	char *end;

	for (;;) {
		if (stat(path, &stat_of))
			is_in = VIEW_OTHERS_UNKNOWN;
		else if (stat_of.st_ino == cgroup)
			return VIEW_OTHERS_SEEN;
		end = strrchr(path + root, '/');
		if (!end)
			return stat_of.st_ino == ROOT_INODE ? is_in : VIEW_OTHERS_UNKNOWN;
		*end = 0;
	}
}

/* Of version 2, which is mounted there, or below where both are in use. */
static enum view_others process__is_in_cgroup(pid_t pid, uint64_t cgroup)
{
	static const char *const roots[] = { CGROUPS, CGROUPS "/unified" };
	char line[4096], path[sizeof(line) + sizeof(CGROUPS) + 16];
	enum view_others is_in = VIEW_OTHERS_UNKNOWN;
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::", 3))
			continue;
		line[strcspn(line, "\n")] = 0;
		for (i = 0; i < sizeof(roots) / sizeof(*roots) && is_in == VIEW_OTHERS_UNKNOWN; i++) {
			snprintf(path, sizeof(path), "%s%s", roots[i], line + 3);
			is_in = directory__is_in(path, strlen(roots[i]), cgroup);
		}
	}
	if (file)
		fclose(file);
	return is_in;
}

/*
 * Whether a process whose number was not named may have come in as a forked child.  Where an execve ends that, as in the view
 * of children that a recording makes, none is in that has executed a program since it was forked.
 */
static bool process__may_be_forked(const struct kview_item *item, pid_t pid)
{
	struct ps_process process = { 0 };
	bool may_be;

	if (!(item->attach_flags & KVIEW_ATTACH_FORK) || item->attach_flags & KVIEW_ATTACH_EXEC)
		return true;
	may_be = ps_process__read(&process, pid) || !process.has_executed;
	ps_process__free(&process);
	return may_be;
}

/* The module tells of a process that was named, and of how many more there are: of forked children it does not say which. */
static enum view_others item__has(const struct kview_item *item, pid_t pid)
{
	if (item->type != KVIEW_ITEM_ATTACHMENT || !item->processes)
		return VIEW_OTHERS_NONE;
	if (item->kind == KVIEW_TARGET_CGROUP)
		return process__is_in_cgroup(pid, item->target_cgroup);
	if (item->kind != KVIEW_TARGET_PROCESS)
		return VIEW_OTHERS_NONE;
	if (item->target_pid == (uint32_t)pid)
		return VIEW_OTHERS_SEEN;
	/* Without a number here, this one may be it, by another number. */
	if (!item->target_pid)
		return VIEW_OTHERS_UNKNOWN;
	return item->processes > 1 && process__may_be_forked(item, pid) ? VIEW_OTHERS_UNKNOWN : VIEW_OTHERS_NONE;
}

enum view_others view_others__among(const struct kview_item *items, size_t nr, uint64_t own, pid_t pid, struct kview_item *other)
{
	enum view_others others = VIEW_OTHERS_NONE, has;
	size_t i;

	for (i = 0; i < nr && others != VIEW_OTHERS_SEEN; i++) {
		has = items[i].view == own ? VIEW_OTHERS_NONE : item__has(&items[i], pid);
		if (has <= others)
			continue;
		others = has;
		*other = items[i];
	}
	return others;
}

/* Takes out what is in it. */
static size_t items__leave_out(struct kview_item *items, size_t nr, const struct process_view *v)
{
	struct kview_item own;
	size_t kept = 0, i;

	if (!v || !v->view || kview_view__item(v->view, &own))
		return nr;
	for (i = 0; i < nr; i++)
		if (items[i].view != own.view)
			items[kept++] = items[i];
	return kept;
}

enum view_others process_view__others(const struct process_view *v, struct kview *module, pid_t pid, struct kview_item *other)
{
	struct kview_item own, *items = NULL;
	enum view_others others;
	size_t nr = 0;

	memset(other, 0, sizeof(*other));
	if (!v->attachment)
		return VIEW_OTHERS_NONE;
	if (kview_view__item(v->view, &own) || kview__list(module, &items, &nr))
		return VIEW_OTHERS_UNKNOWN;
	nr = items__leave_out(items, nr, v->beside);
	others = view_others__among(items, nr, own.view, pid, other);
	free(items);
	return others;
}
