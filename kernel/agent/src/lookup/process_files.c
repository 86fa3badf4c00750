// SPDX-License-Identifier: GPL-2.0
#include "lookup/process_files.h"

#include "base/rights.h"

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

/* Whether it runs as that user, by what the kernel tells everybody. */
static bool process__runs_as(pid_t pid, uid_t uid)
{
	char path[32], line[256];
	unsigned int user = 0;
	bool found = false;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	if (!status)
		return false;
	while (!found && fgets(line, sizeof(line), status))
		found = sscanf(line, "Uid: %u", &user) == 1;
	fclose(status);
	return found && user == uid;
}

int process__error(pid_t pid, struct error *error)
{
	bool is_refused = errno == EACCES || errno == EPERM;

	if (is_refused && process__runs_as(pid, rights__caller()))
		return error__set(error, ERR_NO_PERMISSION,
			"Process %d can't be examined, although it runs as the same user: it has capabilities that you don't "
			"have, or keeps others from looking into it, as programs with passwords or rights do.", pid);
	if (is_refused)
		return error__set(error, ERR_NO_PERMISSION,
			"Process %d belongs to another user: only that user or root may examine it.",
			pid);
	if (errno == ENOENT || errno == ESRCH)
		return error__set(error, ERR_NO_SUCH_PROCESS,
			"There is no process %d; it may have ended, list the processes again.", pid);
	return error__set(error, ERR_FAILED, "Process %d can't be examined: %s.", pid,
			     strerror(errno));
}

bool process__runs(pid_t pid, const struct stat *file)
{
	struct stat program;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return !stat(path, &program) && program.st_dev == file->st_dev &&
	       program.st_ino == file->st_ino;
}

/* /proc/PID/maps has \012 for a newline in a path, and escapes nothing else. */
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

/* The kernel marks files that were removed; rarely a name really ends like this mark. */
bool process_path__cut_deleted(char *path)
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

		if (known->inode != mapping->inode || known->device != mapping->device ||
		    strcmp(known->path, mapping->path))
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

static int add_piece(struct mapped_code **all, size_t *nr, size_t *room, struct mapped_code piece)
{
	size_t larger = *room ? 2 * *room : 64;
	struct mapped_code *grown;

	if (*nr == *room) {
		grown = realloc(*all, larger * sizeof(*grown));
		if (!grown)
			return -1;
		*all = grown;
		*room = larger;
	}
	(*all)[(*nr)++] = piece;
	return 0;
}

/* Whether the kernel maps this code.  Any other code without a file was made by the process. */
static bool is_of_kernel(const char *name)
{
	return !strcmp(name, "[vdso]") || !strcmp(name, "[vsyscall]") ||
	       !strcmp(name, "[uprobes]");
}

static int add_line(struct process_files *files, char *line)
{
	struct mapped_file mapping = { 0 };
	struct mapped_code piece;
	char flags[8];
	unsigned int major, minor;
	int path_at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n",
		   &mapping.start, &mapping.end, flags, &mapping.offset, &major, &minor, &mapping.inode,
		   &path_at) < 7 || !path_at)
		return 0;
	mapping.device = (uint64_t)major << 32 | minor;
	mapping.path = line + path_at;
	mapping.path[strcspn(mapping.path, "\n")] = 0;
	mapping.is_executable = strchr(flags, 'x') != NULL;
	piece = (struct mapped_code){
		.start = mapping.start, .end = mapping.end, .offset = mapping.offset, .device = mapping.device,
		.inode = mapping.inode, .can_write = strchr(flags, 'w') != NULL,
		.is_made = mapping.is_executable && mapping.path[0] != '/' && !is_of_kernel(mapping.path),
	};
	if (mapping.is_executable && add_piece(&files->code, &files->nr_code, &files->code_room, piece))
		return -1;
	if (mapping.inode && !strcmp(flags, "r--p") &&
	    add_piece(&files->data, &files->nr_data, &files->data_room, piece))
		return -1;
	if (mapping.path[0] != '/')
		return 0;
	files->has_writable_code |= mapping.is_executable && strchr(flags, 'w');
	unescape(mapping.path);
	mapping.deleted = process_path__cut_deleted(mapping.path);
	return add_mapping(files, &mapping);
}

int process_files__read(struct process_files *files, pid_t pid, struct error *error)
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
	free(files->code);
	free(files->data);
	*files = (struct process_files){ 0 };
}

/* links: RESOLVE_NO_SYMLINKS to refuse symbolic links, or 0. */
static int open_in_root(pid_t pid, const char *name, uint64_t links)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT | links };
	char path[64];
	int root, fd, error;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/root", pid);
	else
		strcpy(path, "/");
	root = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
	if (root < 0)
		return -1;
	fd = syscall(SYS_openat2, root, name, &how, sizeof(how));
	error = errno;
	close(root);
	errno = error;
	return fd;
}

int process__open_place(pid_t pid, const char *path)
{
	return pid ? open_in_root(pid, path, 0) : open(path, O_PATH | O_CLOEXEC);
}

int process__open_real(pid_t pid, const char *path)
{
	return open_in_root(pid, path, RESOLVE_NO_SYMLINKS);
}

/*
 * own: the file that the process maps, or NULL if the kernel does not tell that.  Then only the
 * inode is compared, because on stacked file systems maps and stat report different devices.
 */
static bool is_still_there(const struct mapped_file *file, pid_t pid, const struct stat *own)
{
	int fd = open_in_root(pid, file->path, RESOLVE_NO_SYMLINKS);
	struct stat st;
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(fd, &st) && st.st_ino == file->inode &&
	       (!own || (st.st_ino == own->st_ino && st.st_dev == own->st_dev));
	close(fd);
	return same;
}

char *mapped_file__open_path(const struct mapped_file *file, pid_t pid)
{
	char *mapped, *path;
	struct stat own;
	bool known;

	if (asprintf(&mapped, "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, pid, file->start,
		     file->end) < 0)
		return NULL;
	/* By the time that it is opened, another file may have its name. */
	if (file->deleted || rights__exceed())
		return mapped;
	known = !stat(mapped, &own);
	if (!is_still_there(file, pid, known ? &own : NULL) ||
	    asprintf(&path, "/proc/%d/root%s", pid, file->path) < 0)
		return mapped;
	free(mapped);
	return path;
}

bool mapped_file__bias(const struct mapped_file *mapped, const struct elf_file *file,
		       uint64_t *bias)
{
	for (size_t i = 0; i < file->nr_segments; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		uint64_t page = segment->p_offset & ~4095ull;

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    mapped->offset < page || mapped->offset >= segment->p_offset + segment->p_filesz)
			continue;
		*bias = mapped->start - (segment->p_vaddr + (mapped->offset - segment->p_offset));
		return true;
	}
	return false;
}

bool process__maps(pid_t pid, const char *path)
{
	struct process_files files;
	struct error ignored = { 0 };
	bool found = false;
	size_t i;

	if (process_files__read(&files, pid, &ignored))
		return false;
	for (i = 0; i < files.nr && !found; i++)
		found = !strcmp(files.all[i].path, path);
	process_files__free(&files);
	return found;
}
