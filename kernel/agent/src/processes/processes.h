/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The processes of this host, from /proc.  Processes that end while it is read are left out.
 * What the agent may not read about a process is empty.
 */
#ifndef KVIEW_PROCESSES_H
#define KVIEW_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Texts are valid UTF-8 without control characters: other bytes are written as \xNN. */
struct ps_process {
	pid_t pid;
	pid_t parent_pid;
	uid_t uid;		/* effective */
	char *user;		/* from /etc/passwd; otherwise the number */
	char *name;		/* comm */
	char **arguments;	/* from the first 64 KiB */
	size_t nr_arguments;
	char *executable;	/* "" for kernel threads and where not readable */
	unsigned int threads;
	uint64_t cpu_time_ns;	/* user + system since its start, in steps of 10 ms */
	uint64_t start_time_ns;	/* CLOCK_MONOTONIC, in steps of 10 ms */
	char *cgroup;		/* path in the unified hierarchy, "" if none */
	bool kernel_thread;
	bool has_executed;	/* a program, since it was forked */
};

/*
 * Called around the reading of each process, to read it with other rights.  process is a descriptor
 * of its folder.
 */
struct ps_reader {
	void (*begin)(int process);
	void (*end)(void);
};

struct ps_list {
	struct ps_process *processes;	/* by pid */
	size_t nr;
};

/*
 * Returns 0, or -1 with errno if /proc can't be read or there is no memory.  Free the list in both
 * cases.  Processes that may not be seen are left out.  reader may be NULL.
 */
int ps_list__read(struct ps_list *list, const struct ps_reader *reader);
void ps_list__free(struct ps_list *list);

/* Reads one process; -1 if it does not exist or ended meanwhile.  Free it in both cases. */
int ps_process__read(struct ps_process *process, pid_t pid);
void ps_process__free(struct ps_process *process);

/* A user's name, from /etc/passwd; otherwise the number.  The caller frees it; NULL: no memory. */
char *ps_user__name(uid_t uid);

#endif
