// SPDX-License-Identifier: GPL-2.0
#include "place/memory_room.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* How each version of control groups names it; cached: what of it the kernel gives up rather than end a process. */
struct version {
	const char *root, *used, *most, *cached[2];
};

static const struct version first = { "/sys/fs/cgroup/memory", "memory.usage_in_bytes", "memory.limit_in_bytes",
				      { "total_inactive_file", "total_active_file" } };
static const struct version second = { "/sys/fs/cgroup", "memory.current", "memory.max", { "inactive_file", "active_file" } };

/* A number behind a word, or the first one; false: there is none, as for "max". */
static bool read_number(const char *folder, const char *name, const char *word, uint64_t *number)
{
	char path[PATH_MAX], line[128];
	size_t length = strlen(word);
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof(line), file))
		found = !strncmp(line, word, length) && sscanf(line + length, "%" SCNu64, number) == 1;
	if (file)
		fclose(file);
	return found;
}

/* In this group; UINT64_MAX: there is no limit. */
static uint64_t room_in(const struct version *version, const char *folder)
{
	uint64_t used, most, cached;

	if (!read_number(folder, version->most, "", &most) || !read_number(folder, version->used, "", &used))
		return UINT64_MAX;
	for (int i = 0; i < 2; i++)
		if (read_number(folder, "memory.stat", version->cached[i], &cached))
			used -= cached < used ? cached : used;
	return most > used ? most - used : 0;
}

/* Beside the groups that are seen from a namespace of one's own, paths lead up; and what is not mounted here has no folder. */
static bool is_seen(const struct version *version, const char *path)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s%s", version->root, path);
	return !strstr(path, "/..") && !access(folder, F_OK);
}

/* In the group at this path and in all that it is in. */
static uint64_t room_at(const struct version *version, const char *path)
{
	char folder[PATH_MAX];
	size_t root = strlen(version->root);
	uint64_t least = UINT64_MAX;

	snprintf(folder, sizeof(folder), "%s%s", version->root, path);
	for (;;) {
		uint64_t room = room_in(version, folder);
		char *last = strrchr(folder, '/');

		least = room < least ? room : least;
		if (last < folder + root)
			return least;
		*last = 0;
	}
}

int memory_room__of(pid_t pid, uint64_t *room, struct error *error)
{
	const bool is_second = !access("/sys/fs/cgroup/cgroup.controllers", F_OK);
	char path[64], line[PATH_MAX];
	bool seen = true;
	FILE *groups;

	*room = UINT64_MAX;
	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	groups = fopen(path, "re");
	while (groups && fgets(line, sizeof(line), groups)) {
		char *controllers = strchr(line, ':'), *group = controllers ? strchr(controllers + 1, ':') : NULL;

		line[strcspn(line, "\n")] = 0;
		if (!group || (is_second ? group != controllers + 1 : strncmp(controllers, ":memory:", 8) != 0))
			continue;
		seen = is_seen(is_second ? &second : &first, group + 1);
		*room = room_at(is_second ? &second : &first, group + 1);
	}
	if (groups)
		fclose(groups);
	return seen ? 0 : error__set(error, ERR_NOT_PROBEABLE, "How much memory process %d may have is not known, as its control group is not seen from here: do this from where it is, as on the host itself.",
				     pid);
}
