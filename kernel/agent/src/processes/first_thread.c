// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "processes/first_thread.h"

/*
 * The link /proc/PID/exe can't be read for a thread that has ended, because it
 * has no memory map any more.
 */
static bool has_memory(const char *folder, const char *thread)
{
	char path[300], target[1];

	snprintf(path, sizeof(path), "%s%s/exe", folder, thread);
	return readlink(path, target, sizeof(target)) >= 0 || (errno != ENOENT && errno != ESRCH);
}

/* The thread has been killed with all others, and just has not ended yet. */
static bool is_killed(const char *folder, const char *thread)
{
	unsigned long long pending = 0;
	char path[300], line[128];
	FILE *status;

	snprintf(path, sizeof(path), "%s%s/status", folder, thread);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "SigPnd: %llx", &pending) == 1)
			break;
	if (status)
		fclose(status);
	return !status || pending & 1ULL << (SIGKILL - 1);
}

bool first_thread__left_others(pid_t pid)
{
	struct dirent *entry;
	char folder[40];
	bool left = false;
	DIR *threads;

	snprintf(folder, sizeof(folder), "/proc/%d", pid);
	if (has_memory(folder, ""))
		return false;
	snprintf(folder, sizeof(folder), "/proc/%d/task/", pid);
	threads = opendir(folder);
	while (threads && !left && (entry = readdir(threads)))
		left = entry->d_name[0] != '.' && has_memory(folder, entry->d_name) &&
		       !is_killed(folder, entry->d_name);
	if (threads)
		closedir(threads);
	return left;
}
