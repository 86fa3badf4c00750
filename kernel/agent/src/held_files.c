// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "held_files.h"

struct held {
	struct held *next;
	char *path;
	int fd;
	char held_path[32];
};

struct held_files {
	struct held *first;
};

struct held_files *held_files__new(void)
{
	return calloc(1, sizeof(struct held_files));
}

static void held__free(struct held *held)
{
	if (held->fd >= 0)
		close(held->fd);
	free(held->path);
	free(held);
}

void held_files__free(struct held_files *files)
{
	struct held *held, *next;

	if (!files)
		return;
	for (held = files->first; held; held = next) {
		next = held->next;
		held__free(held);
	}
	free(files);
}

const char *held_files__path(struct held_files *files, const char *path)
{
	struct held *held;

	for (held = files->first; held; held = held->next)
		if (!strcmp(held->path, path))
			return held->held_path;
	held = calloc(1, sizeof(*held));
	if (!held)
		return path;
	held->path = strdup(path);
	held->fd = open(path, O_PATH | O_CLOEXEC);
	if (!held->path || held->fd < 0) {
		held__free(held);
		return path;
	}
	snprintf(held->held_path, sizeof(held->held_path), "/proc/self/fd/%d", held->fd);
	held->next = files->first;
	files->first = held;
	return held->held_path;
}
