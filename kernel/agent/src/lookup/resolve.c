// SPDX-License-Identifier: GPL-2.0
/* Finds the file that a process means by a name. */
#include "lookup/process_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rights.h"
#include "lookup/library_folders.h"

#define MAX_NAMED 6

/* How well a mapped file fits a name: 3 by its path, 2 base name, 1 base name without version. */
static int fit(const struct mapped_file *file, const char *name)
{
	const char *base = basename(file->path);
	size_t length = strlen(name);

	if (!strcmp(file->path, name))
		return 3;
	if (strchr(name, '/'))
		return 0;
	if (!strcmp(base, name))
		return 2;
	/* libc.so.6 and libc-2.31.so are versions of libc; libc-client.so.2007e is not. */
	return !strncmp(base, name, length) && strstr(base, ".so") &&
	       (base[length] == '.' || (base[length] == '-' && isdigit((unsigned char)base[length + 1])));
}

static bool is_file(const char *path, const struct stat *expected)
{
	struct stat st;

	return !stat(path, &st) && st.st_ino == expected->st_ino && st.st_dev == expected->st_dev;
}

/*
 * Resolves a path that is not in the process's list of mappings: it contains symbolic links, or the
 * file is not mapped.
 */
static int resolve_path(const struct process_files *files, pid_t pid, const char *binary,
			char **path, char **open_path)
{
	int fd = process__open_place(pid, binary), err = -1;
	char name[64], target[4096];
	struct stat st;
	ssize_t length;

	if (fd < 0 || fstat(fd, &st))
		goto out;
	for (size_t i = 0; i < files->nr; i++) {
		if (files->all[i].inode != st.st_ino)
			continue;
		*open_path = mapped_file__open_path(&files->all[i], pid);
		if (*open_path && is_file(*open_path, &st)) {
			*path = strdup(files->all[i].path);
			err = 0;
			goto out;
		}
		free(*open_path);
		*open_path = NULL;
	}
	if (rights__exceed())
		goto out;
	/* The kernel tells where that leads, as a path that this process or the other one sees. */
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	length = readlink(name, target, sizeof(target) - 1);
	if (length <= 0)
		goto out;
	target[length] = 0;
	if (asprintf(open_path, "/proc/%d/root%s", pid, target) < 0)
		goto out;
	if (!is_file(*open_path, &st))
		strcpy(*open_path, target);
	if (is_file(*open_path, &st)) {
		*path = strdup(binary);
		err = 0;
	} else {
		free(*open_path);
		*open_path = NULL;
	}
out:
	if (fd >= 0)
		close(fd);
	return err;
}

/* Without a program and mappings: it ended and its parent has not waited for it, or it is a thread of the kernel. */
static int runs_no_program(pid_t pid, struct error *error)
{
	char name[64], line[128], state = 0;
	int threads = 0;
	FILE *status;

	snprintf(name, sizeof(name), "/proc/%d/status", pid);
	status = fopen(name, "re");
	if (!status) {
		errno = ENOENT;
		return process__error(pid, error);
	}
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "State: %c", &state) != 1)
			sscanf(line, "Threads: %d", &threads);
	fclose(status);
	if ((state == 'Z' || state == 'X') && threads > 1)
		return error__set(error, ERR_NO_SUCH_BINARY,
			"The first thread of process %d has ended, and others go on: its files can't be found any more.", pid);
	if (state == 'Z' || state == 'X')
		return error__set(error, ERR_NO_SUCH_PROCESS,
			"Process %d has ended, although its number is still in use; list the processes again.", pid);
	return error__set(error, ERR_NO_SUCH_BINARY,
		"Process %d runs no program: it is a kernel thread or just ended.", pid);
}

static bool has_program(pid_t pid)
{
	char name[64], target[1];

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	return readlink(name, target, sizeof(target)) >= 0 || errno != ENOENT;
}

static int resolve_program(pid_t pid, char **path, char **open_path, struct error *error)
{
	char name[64], target[4096];
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	length = readlink(name, target, sizeof(target) - 1);
	if (length < 0 && errno == ENOENT)
		return runs_no_program(pid, error);
	if (length < 0)
		return process__error(pid, error);
	target[length] = 0;
	process_path__cut_deleted(target);
	*path = strdup(target);
	*open_path = strdup(name);
	return 0;
}

/*
 * Resolves a name that is a link in the same folder as its target, as python3 for python3.11.
 * Looks in the folders of all files whose code is mapped.
 */
static int resolve_link(const struct process_files *files, pid_t pid, const char *name,
			char **path, char **open_path)
{
	for (size_t i = 0; i < files->nr; i++) {
		const struct mapped_file *file = &files->all[i];
		char *link = NULL, *linked_path, *linked_open;
		bool is_mapped = false;

		if (!file->is_executable ||
		    asprintf(&link, "%.*s%s", (int)(basename(file->path) - file->path),
			     file->path, name) < 0)
			continue;
		if (resolve_path(files, pid, link, &linked_path, &linked_open)) {
			free(link);
			continue;
		}
		free(link);
		for (size_t k = 0; k < files->nr && !is_mapped; k++)
			is_mapped = linked_path && !strcmp(files->all[k].path, linked_path);
		if (is_mapped) {
			*path = linked_path;
			*open_path = linked_open;
			return 0;
		}
		free(linked_path);
		free(linked_open);
	}
	return -1;
}

/* Resolves a library that is not mapped yet, where its dynamic linker would find it. */
static int resolve_library(const struct process_files *files, pid_t pid, const char *name,
			   char **path, char **open_path)
{
	char **folders = library_folders__of(files, pid);
	int err = -1;

	for (size_t i = 0; folders && folders[i] && err; i++) {
		char *library;

		if (asprintf(&library, "%s/%s", folders[i], name) < 0)
			break;
		err = resolve_path(files, pid, library, path, open_path);
		free(library);
	}
	library_folders__free(folders);
	return err;
}

/* The error names the files that it does map: the user may have no other way to see them. */
static int not_mapped(const struct process_files *files, pid_t pid, const char *binary,
		      struct error *error)
{
	char names[300] = "";
	size_t named = 0, left = 0;

	if (strstr(binary, ".so"))
		return error__set(error, ERR_NO_SUCH_BINARY,
			"Process %d maps no %s, and there is none where it would be loaded from; give its path.",
			pid, binary);
	for (size_t i = 0; i < files->nr; i++) {
		if (!files->all[i].is_executable)
			continue;
		if (named == MAX_NAMED) {
			left++;
			continue;
		}
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%.40s",
			 named++ ? ", " : "", basename(files->all[i].path));
	}
	if (left)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " and %zu more", left);
	return error__set(error, ERR_NO_SUCH_BINARY,
		"Process %d maps no %.100s, but %s; a library that it loads later is given by its whole file name (%.40s.so.1, say) or path.",
		pid, binary, named ? names : "no file with code", binary);
}

int process_files__resolve(const struct process_files *files, pid_t pid, const char *binary,
			   char **path, char **open_path, struct error *error)
{
	const struct mapped_file *best = NULL;
	int best_fit = 0;
	bool ambiguous = false;

	*path = *open_path = NULL;
	if (!binary || !binary[0]) {
		if (resolve_program(pid, path, open_path, error))
			return -1;
		goto done;
	}
	if (!files->nr && !has_program(pid))
		return runs_no_program(pid, error);
	for (size_t i = 0; i < files->nr; i++) {
		int this_fit = fit(&files->all[i], binary) * 2 + files->all[i].is_executable;

		if (this_fit < 2)
			continue;
		ambiguous = best && this_fit == best_fit ? true :
			    this_fit > best_fit ? false : ambiguous;
		if (this_fit > best_fit) {
			best = &files->all[i];
			best_fit = this_fit;
		}
	}
	if (best && ambiguous)
		return error__set(error, ERR_NO_SUCH_BINARY,
			"Process %d maps several files that %s can mean; give the path, as %s.",
			pid, binary, best->path);
	if (best) {
		*path = strdup(best->path);
		*open_path = mapped_file__open_path(best, pid);
	} else if (strchr(binary, '/')) {
		if (resolve_path(files, pid, binary, path, open_path))
			return error__set(error, ERR_NO_SUCH_BINARY,
				"Process %d maps no %s; name its program, one of its libraries, or a path.",
				pid, binary);
	} else if (resolve_link(files, pid, binary, path, open_path) &&
		   (!strstr(binary, ".so") || resolve_library(files, pid, binary, path, open_path))) {
		return not_mapped(files, pid, binary, error);
	}
done:
	if (*path && *open_path)
		return 0;
	free(*path);
	free(*open_path);
	*path = *open_path = NULL;
	return error__set(error, ERR_FAILED, "No memory.");
}
