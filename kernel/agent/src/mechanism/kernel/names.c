// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "mechanism/kernel/names.h"

struct name_list {
	char **all;
	size_t nr, room;
};

static void name_list__free(struct name_list *list)
{
	while (list->nr)
		free(list->all[--list->nr]);
	free(list->all);
}

static int name_list__add(struct name_list *list, const char *name)
{
	char **more;

	if (list->nr == list->room) {
		list->room = list->room ? 2 * list->room : 4096;
		more = realloc(list->all, list->room * sizeof(*more));
		if (!more)
			return -1;
		list->all = more;
	}
	list->all[list->nr] = strdup(name);
	return list->all[list->nr++] ? 0 : -1;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "vfs_read", or "ext4_sync_file [ext4]": those of modules are left out. */
static int traceable__add(struct name_list *list, const char *line)
{
	char name[512], module[2];

	return sscanf(line, "%511s %1s", name, module) == 1 ? name_list__add(list, name) : 0;
}

/* "ffffffff81000000 T vfs_read", with its module behind if it has one. */
static int symbol__add(struct name_list *list, const char *line)
{
	char kind, name[512], module[2];

	return sscanf(line, "%*x %c %511s %1s", &kind, name, module) == 2 &&
	       (kind == 't' || kind == 'T') ? name_list__add(list, name) : 0;
}

static int file__read(struct name_list *list, const char *path,
		      int (*add)(struct name_list *list, const char *line))
{
	FILE *file = fopen(path, "re");
	char line[1024];
	int failed = 0;

	if (!file)
		return -1;
	while (!failed && fgets(line, sizeof(line), file))
		failed = add(list, line);
	fclose(file);
	return failed;
}

/* What the kernel itself says can be traced; where tracefs is not mounted, its symbols, of which some can't. */
static int names__read(struct name_list *list, struct error *error)
{
	if (file__read(list, "/sys/kernel/tracing/available_filter_functions", traceable__add) &&
	    file__read(list, "/sys/kernel/debug/tracing/available_filter_functions", traceable__add) &&
	    file__read(list, "/proc/kallsyms", symbol__add))
		return error__set(error, ERR_FAILED, "The names of the kernel's functions could not be read: %s.",
				  strerror(errno));
	if (!list->nr)
		return error__set(error, ERR_FAILED, "The kernel tells no names of its functions.");
	sort(list->all, list->nr, sizeof(*list->all), compare);
	return 0;
}

static size_t names__same(const struct name_list *list, size_t first)
{
	size_t end = first + 1;

	while (end < list->nr && !strcmp(list->all[end], list->all[first]))
		end++;
	return end - first;
}

static int none__found(const struct name_list *list, const char *pattern, size_t several, struct error *error)
{
	struct near_names near = { .wanted = pattern };
	size_t i;

	if (several)
		return error__set(error, ERR_NOT_PROBEABLE,
				  "%zu functions of the kernel are called %.100s, and can't be told apart by name: choose one that calls it, or that it calls.",
				  several, pattern);
	for (i = 0; i < list->nr; i++)
		near_names__offer(&near, list->all[i]);
	error__set(error, ERR_NO_SUCH_FUNCTION,
		   "No function of this kernel that can be probed matches %.100s, which may be inlined, or part of a module.",
		   pattern);
	error->suggestions = near_names__take(&near);
	return -1;
}

/*
 * The image's functions stay the same for as long as the kernel runs, and to have them told takes it tens of
 * milliseconds: once for all patterns.
 */
static const struct name_list *names__known(struct error *error)
{
	static struct name_list known;
	struct name_list list = { 0 };

	if (known.nr)
		return &known;
	if (names__read(&list, error)) {
		name_list__free(&list);
		return NULL;
	}
	known = list;
	return &known;
}

int kernel_names__find(struct point_names *found, const char *pattern, struct error *error)
{
	const struct name_list *list = names__known(error);
	size_t i, same, several = 0;

	if (!list)
		return -1;
	for (i = 0; i < list->nr; i += same) {
		same = names__same(list, i);
		if (same > 1) {
			if (name_pattern__matches(&found->pattern, list->all[i]))
				several = same;
			continue;
		}
		if (point_names__offer(found, list->all[i]))
			return error__set(error, ERR_FAILED, "Out of memory.");
	}
	return found->total ? 0 : none__found(list, pattern, several, error);
}
