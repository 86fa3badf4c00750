/* SPDX-License-Identifier: GPL-2.0 */
/* The files that a process maps, and how the agent gets at them from outside. */
#ifndef KVIEW_PROCESS_FILES_H
#define KVIEW_PROCESS_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "lookup/elf_file.h"

struct mapped_file {
	char *path;		/* as the process sees it, without " (deleted)" */
	uint64_t start, end;	/* of its first executable mapping, else its first */
	uint64_t offset;	/* in the file, of start */
	uint64_t inode;
	bool deleted;		/* the path leads elsewhere or nowhere by now */
	bool is_executable;	/* mapped so */
};

/* A piece of memory that can be executed; or of a file, private and to be read alone. */
struct mapped_code {
	uint64_t start, end, offset;
	uint64_t inode;		/* 0: of no file */
};

struct process_files {
	struct mapped_file *all;	/* each file once */
	size_t nr;
	struct mapped_code *code;	/* ascending */
	size_t nr_code, code_room;
	struct mapped_code *data;	/* ascending */
	size_t nr_data, data_room;
	bool has_anonymous_code;	/* what a just-in-time compiler makes */
	bool has_writable_code;
};

/* Returns 0, or -1 with error filled: no such process, not allowed. */
int process_files__read(struct process_files *files, pid_t pid, struct error *error);
void process_files__free(struct process_files *files);

/*
 * Finds what the user means by binary, a path or a base name, NULL or "" for the program
 * itself.  A library that is not mapped is looked for where it would be loaded from.  Fills path (as the process sees it) and open_path (for the agent, valid while
 * the process lives), both the caller's.  Returns 0, or -1 with error filled.
 */
int process_files__resolve(const struct process_files *files, pid_t pid, const char *binary,
			   char **path, char **open_path, struct error *error);

/* Takes off what the kernel adds to the path of a file that was removed; whether there was. */
bool process_path__cut_deleted(char *path);

/*
 * An O_PATH descriptor of what a path means to a process, 0: to the agent, or -1 with errno set.
 * No symbolic link leads out of the root of the process.
 */
int process__open_place(pid_t pid, const char *path);
/* The same of a path without any symbolic link; ELOOP where it has one. */
int process__open_real(pid_t pid, const char *path);

/*
 * A path that opens this mapped file, whatever its own path leads to by now; the caller's.  With
 * more rights than the agent's caller has (rights.h) never one that the process's owner could
 * lead elsewhere; to follow that takes CAP_CHECKPOINT_RESTORE.
 */
char *mapped_file__open_path(const struct mapped_file *file, pid_t pid);

/* The difference of addresses in the process to those in its file; false if not to be told. */
bool mapped_file__bias(const struct mapped_file *mapped, const struct elf_file *file,
		       uint64_t *bias);

/* Whether the process executes that file, by whatever name. */
bool process__runs(pid_t pid, const struct stat *file);

/* Whether it maps a file, by the path that /proc/PID/maps has. */
bool process__maps(pid_t pid, const char *path);

/* Fills error for a file of /proc/PID that could not be opened, from errno; returns -1. */
int process__error(pid_t pid, struct error *error);

#endif
