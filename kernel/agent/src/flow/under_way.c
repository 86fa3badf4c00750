// SPDX-License-Identifier: GPL-2.0
#include "flow/under_way.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Each takes some microseconds. */
#define MOST_THREADS	4096

/* "0 0x3 0x7ffe... ..." where it waits in read, "running" where nobody can tell. */
static bool waits_in(pid_t pid, pid_t tid, int number)
{
	char path[64];
	FILE *file;
	int is = -1;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "%d", &is) != 1)
		is = -1;
	fclose(file);
	return is == number;
}

/* It may begin a call that is followed just before it is asked, or end that just after: so both are looked at. */
static bool is_under_way(const struct flow_calls *calls, pid_t pid, pid_t tid, int number)
{
	return !flow_calls__follow(calls, tid) && waits_in(pid, tid, number) && !flow_calls__follow(calls, tid);
}

uint64_t calls_under_way__count(const struct flow_calls *calls, pid_t pid, int number)
{
	struct dirent *entry;
	uint64_t nr = 0;
	char path[32];
	int asked = 0;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	while (threads && asked < MOST_THREADS && (entry = readdir(threads))) {
		if (entry->d_name[0] == '.')
			continue;
		asked++;
		nr += is_under_way(calls, pid, atoi(entry->d_name), number);
	}
	if (threads)
		closedir(threads);
	return nr;
}
