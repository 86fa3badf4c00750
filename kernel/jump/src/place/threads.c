// SPDX-License-Identifier: GPL-2.0
#include "place/threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STARTED 20		/* words from its state on, in /proc/PID/stat */

/* From its state on; NULL: it is gone. */
static const char *read_stat(pid_t pid, pid_t tid, char line[1024])
{
	char path[64];
	const char *name_end = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	if (fgets(line, 1024, file))
		name_end = strrchr(line, ')');
	fclose(file);
	return name_end ? name_end + 2 : NULL;
}

struct process_id process_id__of(pid_t pid)
{
	char line[1024];
	const char *at = read_stat(pid, pid, line);

	for (int word = 1; at && word < STARTED; word++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return (struct process_id){ pid, at ? strtoull(at, NULL, 10) : 0 };
}

bool process_id__is(const struct process_id *process)
{
	return !process->started || process_id__of(process->pid).started == process->started;
}

char thread__state(pid_t pid, pid_t tid)
{
	char line[1024];
	const char *state = read_stat(pid, tid, line);

	return state ? *state : 'X';
}

bool thread__has_ended(pid_t pid, pid_t tid)
{
	char state = thread__state(pid, tid);

	return state == 'X' || state == 'Z';
}

pid_t thread__living(pid_t pid)
{
	char path[32];
	struct dirent *entry;
	pid_t living = 0;
	DIR *tasks;

	if (!thread__has_ended(pid, pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && !living && (entry = readdir(tasks))) {
		pid_t tid = atoi(entry->d_name);

		if (tid && !thread__has_ended(pid, tid))
			living = tid;
	}
	if (tasks)
		closedir(tasks);
	return living;
}
