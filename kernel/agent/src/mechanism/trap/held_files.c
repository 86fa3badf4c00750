// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lookup/raising.h"
#include "mechanism/trap/held_files.h"

struct held {
	struct held *next;
	char *path;
	struct fn_file_id file;
	int fd;
	char held_path[32];
};

struct held_files {
	struct held *first;
	bool raising;
};

struct held_files *held_files__new(bool raising)
{
	struct held_files *files = calloc(1, sizeof(*files));

	if (files)
		files->raising = raising;
	return files;
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

/* By O_PATH, as another file may be there by now: to open a pipe or a device for real, as root, may have effects. */
static int open_same(const struct held_files *files, const struct place *place)
{
	int fd = open(place->path, O_PATH | O_CLOEXEC), failed = 0;
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st))
		failed = errno;
	/*
	 * device is 0 only for the agent's own file, which was not looked up.  An inode of 0 does not
	 * tell this: a file system that a user serves (FUSE) may give that number to any file.
	 */
	else if (!S_ISREG(st.st_mode) ||
		 (place->file.device && (st.st_dev != place->file.device ||
					 st.st_ino != place->file.inode)))
		failed = ESTALE;
	else if (!files->raising && file__gives_rights(fd))
		failed = EISNAM;
	if (!failed)
		return fd;
	close(fd);
	errno = failed;
	return -1;
}

const char *held_files__path(struct held_files *files, const struct place *place)
{
	struct held *held;

	for (held = files->first; held; held = held->next)
		if (!strcmp(held->path, place->path) && held->file.device == place->file.device &&
		    held->file.inode == place->file.inode)
			return held->held_path;
	held = calloc(1, sizeof(*held));
	if (!held)
		return NULL;
	held->path = strdup(place->path);
	held->file = place->file;
	held->fd = held->path ? open_same(files, place) : -1;
	if (held->fd < 0) {
		int failed = errno;

		held__free(held);
		errno = failed;
		return NULL;
	}
	snprintf(held->held_path, sizeof(held->held_path), "/proc/self/fd/%d", held->fd);
	held->next = files->first;
	files->first = held;
	return held->held_path;
}
