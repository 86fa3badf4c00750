// SPDX-License-Identifier: GPL-2.0
#include "recording/lock_holders.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void lock_holders__init(struct lock_holders *holders, pid_t pid)
{
	struct stat own, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	*holders = (struct lock_holders){ .pid = pid };
	holders->has_numbers_of_its_own = stat("/proc/self/ns/pid", &own) || stat(path, &its) || own.st_ino != its.st_ino;
}

bool lock_holders__have(struct lock_holders *holders, uint32_t tid)
{
	char path[64];
	uint32_t i;

	if (holders->has_numbers_of_its_own)
		return false;
	for (i = 0; i < holders->nr; i++)
		if (holders->known[i] == tid)
			return true;
	snprintf(path, sizeof(path), "/proc/%d/task/%u", holders->pid, tid);
	if (holders->nr == MOST_HOLDERS || access(path, F_OK))
		return false;
	holders->known[holders->nr++] = tid;
	return true;
}
