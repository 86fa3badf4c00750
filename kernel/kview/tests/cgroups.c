// SPDX-License-Identifier: GPL-2.0
#include <sys/stat.h>

#include "cgroups.h"
#include "harness.h"

void cgroup_move(pid_t pid, const char *cgroup)
{
	char path[128], text[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	snprintf(text, sizeof(text), "%d", pid);
	write_file(path, text);
}

void cgroups_make(void)
{
	static const char *const path[] = { TOP, SUB, OTHER };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path); i++)
		CHECK(!mkdir(path[i], 0755) || errno == EEXIST);
}

/* A process that has ended leaves its cgroup a moment later. */
void cgroup_remove(const char *path)
{
	int i, ret = -1;

	for (i = 0; i < PATIENCE && ret; i++) {
		ret = rmdir(path);
		if (ret)
			usleep(10000);
	}
	CHECK(!ret);
}

void cgroups_remove(void)
{
	cgroup_remove(SUB);
	cgroup_remove(TOP);
	cgroup_remove(OTHER);
}
