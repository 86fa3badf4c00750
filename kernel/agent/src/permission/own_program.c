// SPDX-License-Identifier: GPL-2.0
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "permission/own_program.h"

#define OTHERS_WRITE	(S_IWGRP | S_IWOTH)

static int not_roots_alone(const char *path, size_t length, struct error *error)
{
	return error__set(error, ERR_NO_PERMISSION,
			  "This agent was given rights, and somebody else than root can change %.*s: let an administrator install it as root's own file, as Kview's page on security says, and give the rights to that one.",
			  (int)(length < 300 ? length : 300), path);
}

static bool is_roots_alone(const struct stat *st)
{
	return !st->st_uid && (!(st->st_mode & OTHERS_WRITE) ||
			       (S_ISDIR(st->st_mode) && st->st_mode & S_ISVTX));
}

/* From the root folder on, so that a link or a folder of somebody else's is met. */
static int check_path(const char *path, const struct stat *program, struct error *error)
{
	char name[NAME_MAX + 1];
	const char *at = path;
	struct stat st;
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	bool good = fd >= 0 && !fstat(fd, &st) && is_roots_alone(&st);

	while (good && *at) {
		size_t length = strcspn(++at, "/");

		if (length >= sizeof(name) || !length)
			break;
		memcpy(name, at, length);
		name[length] = 0;
		at += length;
		next = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		close(fd);
		fd = next;
		good = fd >= 0 && !fstat(fd, &st) && is_roots_alone(&st);
	}
	good = good && !*at && st.st_dev == program->st_dev && st.st_ino == program->st_ino;
	if (fd >= 0)
		close(fd);
	return good ? 0 : not_roots_alone(path, at - path, error);
}

int own_program__check(struct error *error)
{
	int fd = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct stat program;
	bool found = fd >= 0 && length > 0 && !fstat(fd, &program);

	if (fd >= 0)
		close(fd);
	path[length > 0 ? length : 0] = 0;
	if (!found || path[0] != '/' || !S_ISREG(program.st_mode) || !is_roots_alone(&program))
		return not_roots_alone(found ? path : "its file", found ? length : 8, error);
	return check_path(path, &program, error);
}
