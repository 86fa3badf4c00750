// SPDX-License-Identifier: GPL-2.0
#include "process_files.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_FILES 65536
#define DELETED " (deleted)"

int process__error(pid_t pid, struct fn_error *error)
{
	if (errno == EACCES || errno == EPERM)
		return error__set(error, ERR_NO_PERMISSION,
			"Process %d belongs to another user; run the agent as that user or as root.",
			pid);
	if (errno == ENOENT || errno == ESRCH)
		return error__set(error, ERR_NO_SUCH_PROCESS,
			"There is no process %d; it may have ended, list the processes again.", pid);
	return error__set(error, ERR_FAILED, "Process %d can't be examined: %s.", pid,
			     strerror(errno));
}

/* In /proc/PID/maps a newline in a path is \012; nothing else is escaped. */
static void unescape(char *path)
{
	char *to = path;

	for (char *from = path; *from; from++) {
		if (!strncmp(from, "\\012", 4)) {
			*to++ = '\n';
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = 0;
}

/* The kernel marks files that were removed; their names may end so by themselves, rarely. */
static bool cut_deleted(char *path)
{
	size_t length = strlen(path), mark = strlen(DELETED);

	if (length <= mark || strcmp(path + length - mark, DELETED))
		return false;
	path[length - mark] = 0;
	return true;
}

static int add_mapping(struct process_files *files, const struct mapped_file *mapping)
{
	struct mapped_file *grown;

	for (size_t i = files->nr; i-- > 0; ) {
		struct mapped_file *known = &files->all[i];

		if (known->inode != mapping->inode || strcmp(known->path, mapping->path))
			continue;
		if (mapping->is_executable && !known->is_executable) {
			known->start = mapping->start;
			known->end = mapping->end;
			known->offset = mapping->offset;
			known->is_executable = true;
		}
		return 0;
	}
	if (files->nr == MAX_FILES)
		return 0;
	grown = realloc(files->all, (files->nr + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	files->all = grown;
	grown[files->nr] = *mapping;
	grown[files->nr].path = strdup(mapping->path);
	if (!grown[files->nr].path)
		return -1;
	files->nr++;
	return 0;
}

/* Code that the kernel maps; else code without a file is made by the process. */
static bool is_of_kernel(const char *name)
{
	return !strcmp(name, "[vdso]") || !strcmp(name, "[vsyscall]") ||
	       !strcmp(name, "[uprobes]");
}

static int add_line(struct process_files *files, char *line)
{
	struct mapped_file mapping = { 0 };
	char flags[8];
	int path_at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %" SCNu64 " %n",
		   &mapping.start, &mapping.end, flags, &mapping.offset, &mapping.inode,
		   &path_at) < 5 || !path_at)
		return 0;
	mapping.path = line + path_at;
	mapping.path[strcspn(mapping.path, "\n")] = 0;
	mapping.is_executable = strchr(flags, 'x') != NULL;
	if (mapping.path[0] != '/') {
		if (mapping.is_executable && !is_of_kernel(mapping.path))
			files->has_anonymous_code = true;
		return 0;
	}
	files->has_writable_code |= mapping.is_executable && strchr(flags, 'w');
	unescape(mapping.path);
	mapping.deleted = cut_deleted(mapping.path);
	return add_mapping(files, &mapping);
}

int process_files__read(struct process_files *files, pid_t pid, struct fn_error *error)
{
	size_t line_bytes = 0;
	char *line = NULL;
	char path[64];
	FILE *maps;
	int err = 0;

	*files = (struct process_files){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return process__error(pid, error);
	while (!err && getline(&line, &line_bytes, maps) > 0)
		err = add_line(files, line);
	free(line);
	fclose(maps);
	if (err) {
		process_files__free(files);
		return error__set(error, ERR_FAILED,
				     "No memory for the mappings of process %d.", pid);
	}
	return 0;
}

void process_files__free(struct process_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		free(files->all[i].path);
	free(files->all);
	*files = (struct process_files){ 0 };
}

char *mapped_file__open_path(const struct mapped_file *file, pid_t pid)
{
	char *path;
	struct stat st;

	/* The device is not compared: maps and stat differ about it on some file systems. */
	if (!file->deleted && asprintf(&path, "/proc/%d/root%s", pid, file->path) > 0) {
		if (!stat(path, &st) && st.st_ino == file->inode)
			return path;
		free(path);
	}
	if (asprintf(&path, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, file->start,
		     file->end) < 0)
		return NULL;
	return path;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* How well a mapped file fits a name: 3 its path, 2 its base name, 1 that without version. */
static int fit(const struct mapped_file *file, const char *name)
{
	const char *base = base_name(file->path);
	size_t length = strlen(name);

	if (!strcmp(file->path, name))
		return 3;
	if (strchr(name, '/'))
		return 0;
	if (!strcmp(base, name))
		return 2;
	/* libc.so.6 and libc-2.31.so are versions of libc; libc-client.so.2007e is none. */
	return !strncmp(base, name, length) && strstr(base, ".so") &&
	       (base[length] == '.' || (base[length] == '-' && isdigit((unsigned char)base[length + 1])));
}

static bool is_file(const char *path, const struct stat *expected)
{
	struct stat st;

	return !stat(path, &st) && st.st_ino == expected->st_ino && st.st_dev == expected->st_dev;
}

/*
 * A path of the process that it does not map as written: through symbolic links, or not
 * mapped at all.  openat2 keeps absolute links within the root of the process.
 */
static int resolve_path(const struct process_files *files, pid_t pid, const char *binary,
			char **path, char **open_path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	char name[64], target[4096];
	int root, fd = -1, err = -1;
	struct stat st;
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/%d/root", pid);
	root = open(name, O_PATH | O_CLOEXEC | O_DIRECTORY);
	if (root >= 0)
		fd = syscall(SYS_openat2, root, binary, &how, sizeof(how));
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
	/* Where that leads to: the kernel says it as this process sees it, or the other. */
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
	if (root >= 0)
		close(root);
	return err;
}

static int resolve_program(pid_t pid, char **path, char **open_path, struct fn_error *error)
{
	char name[64], target[4096];
	ssize_t length;

	snprintf(name, sizeof(name), "/proc/%d/exe", pid);
	length = readlink(name, target, sizeof(target) - 1);
	if (length < 0 && errno == ENOENT) {
		snprintf(name, sizeof(name), "/proc/%d/comm", pid);
		if (!access(name, F_OK))
			return error__set(error, ERR_NO_SUCH_BINARY,
				"Process %d runs no program: it is a kernel thread or just ended.",
				pid);
		errno = ENOENT;
	}
	if (length < 0)
		return process__error(pid, error);
	target[length] = 0;
	cut_deleted(target);
	*path = strdup(target);
	*open_path = strdup(name);
	return 0;
}

/*
 * A name that is a link beside what it leads to, as python3 is to python3.11: in the folder of
 * any file whose code is mapped.
 */
static int resolve_link(const struct process_files *files, pid_t pid, const char *name,
			char **path, char **open_path)
{
	for (size_t i = 0; i < files->nr; i++) {
		const struct mapped_file *file = &files->all[i];
		char *link = NULL, *linked_path, *linked_open;
		bool is_mapped = false;

		if (!file->is_executable ||
		    asprintf(&link, "%.*s%s", (int)(base_name(file->path) - file->path),
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

int process_files__resolve(const struct process_files *files, pid_t pid, const char *binary,
			   char **path, char **open_path, struct fn_error *error)
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
	} else if (strchr(binary, '/') ? resolve_path(files, pid, binary, path, open_path) :
					 resolve_link(files, pid, binary, path, open_path)) {
		return error__set(error, ERR_NO_SUCH_BINARY,
			"Process %d maps no %s; name its program, one of its libraries, or a path.",
			pid, binary);
	}
done:
	if (*path && *open_path)
		return 0;
	free(*path);
	free(*open_path);
	*path = *open_path = NULL;
	return error__set(error, ERR_FAILED, "No memory.");
}
