/* SPDX-License-Identifier: GPL-2.0 */
/* The files that a process maps, and how the agent can open them from outside. */
#ifndef KVIEW_PROCESS_FILES_H
#define KVIEW_PROCESS_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "lookup/elf_file.h"

struct mapped_file {
	char *path;		/* as the process sees it, without " (deleted)" */
	uint64_t start, end;	/* of its first executable mapping, or else of its first one */
	uint64_t offset;	/* in the file, of start */
	uint64_t device, inode;	/* as /proc/PID/maps has them, which stat may not */
	bool deleted;		/* by now the path leads elsewhere or nowhere */
	bool is_executable;	/* it is mapped as executable */
};

/* A mapping: in code, an executable one; in data, a private and read-only one of a file. */
struct mapped_code {
	uint64_t start, end, offset;
	uint64_t device;
	uint64_t inode;		/* 0: no file */
	bool is_made;		/* code of no file, nor the kernel's: as a just-in-time compiler makes it */
	bool can_write;
};

struct process_files {
	struct mapped_file *all;	/* each file once */
	size_t nr;
	struct mapped_code *code;	/* ascending */
	size_t nr_code, code_room;
	struct mapped_code *data;	/* ascending */
	size_t nr_data, data_room;
	bool has_writable_code;
};

/* Returns 0, or -1 with error filled if there is no such process or it is not allowed. */
int process_files__read(struct process_files *files, pid_t pid, struct error *error);
void process_files__free(struct process_files *files);

/*
 * Finds the file that the user means by binary: a path or a base name; NULL or "" for the program
 * itself.  A library that is not mapped is searched in the folders from which it would be loaded.
 * Fills path, as the process sees it, and open_path, by which the agent can open it as long as the
 * process lives; the caller frees both.  Returns 0, or -1 with error filled.
 */
int process_files__resolve(const struct process_files *files, pid_t pid, const char *binary,
			   char **path, char **open_path, struct error *error);

/*
 * Cuts off the mark that the kernel adds to the path of a removed file; returns whether it had one.
 */
bool process_path__cut_deleted(char *path);

/*
 * An O_PATH descriptor of the file that a path means to a process (pid 0: to the agent), or -1 with
 * errno set.  No symbolic link leads out of the root of the process.
 */
int process__open_place(pid_t pid, const char *path);
/* The same, but fails with ELOOP if the path contains a symbolic link. */
int process__open_real(pid_t pid, const char *path);

/*
 * A path that opens this mapped file, even if its own path leads elsewhere by now; freed by the
 * caller.  If the agent has more rights than its caller (rights.h), this is never a path that the
 * process's owner could lead elsewhere; opening it then takes CAP_CHECKPOINT_RESTORE.
 */
char *mapped_file__open_path(const struct mapped_file *file, pid_t pid);

/* The difference between addresses in the process and in its file; false if it is not known. */
bool mapped_file__bias(const struct mapped_file *mapped, const struct elf_file *file,
		       uint64_t *bias);

/* Whether the process executes that file, under any name. */
bool process__runs(pid_t pid, const struct stat *file);

/* Whether it maps a file, by the path that /proc/PID/maps has. */
bool process__maps(pid_t pid, const char *path);

/* Fills error for a file of /proc/PID that could not be opened, from errno; returns -1. */
int process__error(pid_t pid, struct error *error);

#endif
