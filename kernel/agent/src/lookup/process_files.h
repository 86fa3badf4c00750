/* SPDX-License-Identifier: GPL-2.0 */
/* The files that a process maps, and how the agent gets at them from outside. */
#ifndef KVIEW_PROCESS_FILES_H
#define KVIEW_PROCESS_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "elf_file.h"

struct mapped_file {
	char *path;		/* as the process sees it, without " (deleted)" */
	uint64_t start, end;	/* of its first executable mapping, else its first */
	uint64_t offset;	/* in the file, of start */
	uint64_t inode;
	bool deleted;		/* the path leads elsewhere or nowhere by now */
	bool is_executable;	/* mapped so */
};

struct process_files {
	struct mapped_file *all;	/* each file once */
	size_t nr;
	bool has_anonymous_code;	/* what a just-in-time compiler makes */
	bool has_writable_code;
};

/* Returns 0, or -1 with error filled: no such process, not allowed. */
int process_files__read(struct process_files *files, pid_t pid, struct fn_error *error);
void process_files__free(struct process_files *files);

/*
 * Finds what the user means by binary, a path or a base name, NULL or "" for the program
 * itself.  Fills path (as the process sees it) and open_path (for the agent, valid while
 * the process lives), both the caller's.  Returns 0, or -1 with error filled.
 */
int process_files__resolve(const struct process_files *files, pid_t pid, const char *binary,
			   char **path, char **open_path, struct fn_error *error);

/* A path that opens this mapped file, whatever its own path leads to by now. */
char *mapped_file__open_path(const struct mapped_file *file, pid_t pid);

/* Fills error for a file of /proc/PID that could not be opened, from errno; returns -1. */
int process__error(pid_t pid, struct fn_error *error);

#endif
