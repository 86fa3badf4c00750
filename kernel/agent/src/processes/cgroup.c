// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "processes/cgroup.h"
#include "processes/processes.h"

#define MOUNTS	"/sys/fs/cgroup"
/* The kernel's number of the first namespace of cgroups (PROC_CGROUP_INIT_INO). */
#define FIRST_NAMESPACE	0xEFFFFFFBU

/* Whether paths begin at the root of all cgroups: in another namespace they begin at a cgroup of unknown depth. */
static bool sees_the_root(void)
{
	struct stat namespace;

	return !stat("/proc/self/ns/cgroup", &namespace) && namespace.st_ino == FIRST_NAMESPACE;
}

/* Where the hierarchy of version 2 is mounted as a whole.  False: nowhere. */
static bool find_mount(char *mount, size_t size)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, root[512], point[512];
	bool found = false;
	size_t room = 0;

	while (file && !found && getline(&line, &room, file) > 0) {
		const char *type = strstr(line, " - ");

		/* Further mounts of a part have that part as their root. */
		found = type && !strncmp(type, " - cgroup2 ", 11) &&
			sscanf(line, "%*s %*s %*s %511s %511s", root, point) == 2 && !strcmp(root, "/") &&
			strlen(point) < size;
	}
	free(line);
	if (file)
		fclose(file);
	if (found)
		strcpy(mount, point);
	return found;
}

/* The part of path below a folder, with its "/"; NULL: it is not below it. */
static const char *below(const char *path, const char *folder)
{
	size_t length = strlen(folder);

	return !strncmp(path, folder, length) && path[length] == '/' ? path + length : NULL;
}

/* Fills path and level. */
static int read_path(struct cgroup *cgroup, const char *path, struct error *error)
{
	size_t length = 0;

	if (*path != '/')
		return error__set(error, ERR_BAD_REQUEST,
				  "%.200s is no path of a cgroup: it begins with /, as in /system.slice/nginx.service.", path);
	while (*path) {
		size_t part;

		path += strspn(path, "/");
		part = strcspn(path, "/");
		if (!part)
			break;
		if ((part == 1 && *path == '.') || (part == 2 && !strncmp(path, "..", 2)))
			return error__set(error, ERR_BAD_REQUEST, "The path of a cgroup has no . and no .. in it: name it as a process's is shown.");
		if (length + 1 + part >= sizeof(cgroup->path))
			return error__set(error, ERR_BAD_REQUEST, "The path of the cgroup is too long.");
		cgroup->path[length++] = '/';
		memcpy(cgroup->path + length, path, part);
		length += part;
		path += part;
		cgroup->level++;
	}
	cgroup->path[length] = 0;
	return cgroup->level ? 0 :
		error__set(error, ERR_BAD_REQUEST, "The root of all cgroups is the whole host: name a cgroup below it.");
}

static int open_folder(struct cgroup *cgroup, const char *mount, struct error *error)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	int root = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct statfs system;
	struct stat folder;

	if (root >= 0)
		cgroup->fd = syscall(SYS_openat2, root, cgroup->path + 1, &how, sizeof(how));
	if (root < 0 || cgroup->fd < 0) {
		int failed = errno;

		if (root >= 0)
			close(root);
		return failed == ENOENT ?
			error__set(error, ERR_BAD_REQUEST, "There is no cgroup %.300s on this host: processes show theirs in /proc/PID/cgroup.", cgroup->path) :
			error__set(error, ERR_BAD_REQUEST, "The cgroup %.300s can't be opened: %s.", cgroup->path,
				   failed == ENOTDIR ? "it is a file" : failed == ELOOP ? "a part of its path is a symbolic link" : strerror(failed));
	}
	close(root);
	if (fstatfs(cgroup->fd, &system) || system.f_type != CGROUP2_SUPER_MAGIC || fstat(cgroup->fd, &folder))
		return error__set(error, ERR_BAD_REQUEST, "%.300s is no cgroup of version 2.", cgroup->path);
	cgroup->id = folder.st_ino;
	cgroup->events_fd = openat(cgroup->fd, "cgroup.events", O_RDONLY | O_CLOEXEC);
	return cgroup->events_fd >= 0 ? 0 :
		error__set(error, ERR_FAILED, "Whether the cgroup %.200s has processes can't be read: %s.", cgroup->path, strerror(errno));
}

int cgroup__open(struct cgroup *cgroup, const char *path, struct error *error)
{
	const char *part;
	char mount[512];

	memset(cgroup, 0, sizeof(*cgroup));
	cgroup->fd = cgroup->events_fd = -1;
	if (!find_mount(mount, sizeof(mount)))
		return error__set(error, ERR_UNSUPPORTED,
				  "Cgroups are recorded by their version 2, of which no hierarchy is mounted here: record single processes.");
	/* The kernel's programs look for an ancestor at the cgroup's depth: at a wrong one they would find nobody. */
	if (!sees_the_root())
		return error__set(error, ERR_UNSUPPORTED,
				  "The agent is in a cgroup namespace of its own, where the root of all cgroups is not seen: "
				  "record from the host, or in a container with the host's cgroup namespace (docker run --cgroupns=host).");
	part = below(path, mount);
	if (!part && below(path, MOUNTS))
		return error__set(error, ERR_UNSUPPORTED,
				  "%.200s is not of the cgroups of version 2, which are below %.100s here: name one of those.", path, mount);
	return read_path(cgroup, part ? part : path, error) || open_folder(cgroup, mount, error) ? -1 : 0;
}

void cgroup__close(struct cgroup *cgroup)
{
	if (cgroup->events_fd >= 0)
		close(cgroup->events_fd);
	if (cgroup->fd >= 0)
		close(cgroup->fd);
	cgroup->fd = cgroup->events_fd = -1;
}

int cgroup__check_member(const struct cgroup *cgroup, pid_t pid, struct error *error)
{
	size_t length = strlen(cgroup->path);
	struct ps_process process;
	int result = 0;

	if (ps_process__read(&process, pid))
		result = error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", pid);
	else if (strncmp(process.cgroup, cgroup->path, length) || (process.cgroup[length] && process.cgroup[length] != '/'))
		result = error__set(error, ERR_NO_SUCH_PROCESS, "Process %d (%.100s) is not in the cgroup %.200s: choose again.",
				    pid, process.name, cgroup->path);
	ps_process__free(&process);
	return result;
}

/* The number behind a key at the beginning of a line; false: it can't be read. */
static bool read_number(int fd, const char *key, uint64_t *number)
{
	char text[4096], *line;
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	if (length <= 0)
		return false;
	text[length] = 0;
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, strlen(key)) && line[strlen(key)] == ' ') {
			*number = strtoull(line + strlen(key), NULL, 10);
			return true;
		}
	}
	return false;
}

bool cgroup__is_populated(const struct cgroup *cgroup)
{
	uint64_t populated;

	return read_number(cgroup->events_fd, "populated", &populated) && populated;
}

uint64_t cgroup__cpu_ns(const struct cgroup *cgroup)
{
	int fd = openat(cgroup->fd, "cpu.stat", O_RDONLY | O_CLOEXEC);
	uint64_t us = 0;

	if (fd < 0)
		return 0;
	if (!read_number(fd, "usage_usec", &us))
		us = 0;
	close(fd);
	return us * 1000;
}
