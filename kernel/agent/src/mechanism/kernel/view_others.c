// SPDX-License-Identifier: GPL-2.0
/* Others who trace the same process in views of theirs: what their programs take lies within the calls that are measured. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libkview.h>

#include "mechanism/kernel/view.h"

#define CGROUPS		"/sys/fs/cgroup"

/* Whether the directory, or one above it within the hierarchy, has that number. */
static bool directory__is_in(char *path, size_t root, uint64_t cgroup)
{
	struct stat stat_of;
	char *end;

	for (;;) {
		if (!stat(path, &stat_of) && stat_of.st_ino == cgroup)
			return true;
		end = strrchr(path + root, '/');
		if (!end)
			return false;
		*end = 0;
	}
}

/* Of version 2, which is mounted there, or below where both are in use. */
static bool process__is_in_cgroup(pid_t pid, uint64_t cgroup)
{
	static const char *const roots[] = { CGROUPS, CGROUPS "/unified" };
	char line[4096], path[sizeof(line) + sizeof(CGROUPS) + 16];
	bool is_in = false;
	FILE *file;
	size_t i;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	file = fopen(path, "re");
	while (file && !is_in && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "0::", 3))
			continue;
		line[strcspn(line, "\n")] = 0;
		for (i = 0; i < sizeof(roots) / sizeof(*roots) && !is_in; i++) {
			snprintf(path, sizeof(path), "%s%s", roots[i], line + 3);
			is_in = directory__is_in(path, strlen(roots[i]), cgroup);
		}
	}
	if (file)
		fclose(file);
	return is_in;
}

static bool item__has(const struct kview_item *item, pid_t pid)
{
	if (item->type != KVIEW_ITEM_ATTACHMENT || !item->processes)
		return false;
	return item->kind == KVIEW_TARGET_CGROUP ? process__is_in_cgroup(pid, item->target_cgroup) :
	       item->kind == KVIEW_TARGET_PROCESS && item->target_pid == (uint32_t)pid;
}

bool function_view__has_others(const struct function_view *v, struct kview *module, pid_t pid, struct kview_item *other)
{
	struct kview_item own, *items = NULL;
	bool has_others = false;
	size_t nr = 0, i;

	if (!v->attachment || kview_view__item(v->view, &own) || kview__list(module, &items, &nr))
		return false;
	for (i = 0; i < nr && !has_others; i++) {
		has_others = items[i].view != own.view && item__has(&items[i], pid);
		*other = items[i];
	}
	free(items);
	return has_others;
}
