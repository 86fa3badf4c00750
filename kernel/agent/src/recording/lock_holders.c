// SPDX-License-Identifier: GPL-2.0
#include "recording/lock_holders.h"

#include <stdio.h>
#include <sys/stat.h>

void lock_holders__init(struct lock_holders *holders, pid_t pid)
{
	struct stat own, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	*holders = (struct lock_holders){ .pid = pid };
	holders->has_numbers_of_its_own = stat("/proc/self/ns/pid", &own) || stat(path, &its) || own.st_ino != its.st_ino;
}

const struct lock_holder *lock_holders__of(struct lock_holders *holders, uint32_t tid)
{
	struct lock_holder *holder;
	char path[64];
	FILE *comm;
	uint32_t i;

	if (holders->has_numbers_of_its_own)
		return NULL;
	for (i = 0; i < holders->nr; i++)
		if (holders->known[i].tid == tid)
			return &holders->known[i];
	if (holders->nr == MOST_HOLDERS)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/task/%u/comm", holders->pid, tid);
	comm = fopen(path, "re");
	if (!comm)
		return NULL;
	holder = &holders->known[holders->nr];
	*holder = (struct lock_holder){ .tid = tid };
	i = fread(holder->name, 1, sizeof(holder->name), comm);
	fclose(comm);
	/* It ended meanwhile. */
	if (!i)
		return NULL;
	/* Its last byte is the line's end. */
	holder->name[i - 1] = '\0';
	holders->nr++;
	return holder;
}
