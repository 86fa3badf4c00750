// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <kview.h>

#include "mechanism/borrowed_sets.h"

#define COUNTERS_MOST	4000000

uint32_t borrowed_sets__sites_most(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return COUNTERS_MOST / (cpus > 10 ? cpus : 10);
}

static bool fd__is_set(int folder, const char *name)
{
	char file[32];
	ssize_t length = readlinkat(folder, name, file, sizeof(file) - 1);

	if (length < 0)
		return false;
	file[length] = 0;
	return !strcmp(file, "anon_inode:[kview-set]");
}

/* The copy may be of any file by now: its owner goes on meanwhile. */
static bool borrowed__use(int fd, borrowed_set__use *use, void *context)
{
	struct kview_item item = { 0 };
	char own[32];

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	if (!fd__is_set(-1, own) || ioctl(fd, KVIEW_ITEM, &item))
		return true;
	return use(fd, &item, context);
}

int borrowed_sets__each(pid_t owner, borrowed_set__use *use, void *context)
{
	int process = syscall(SYS_pidfd_open, owner, 0), failed = process < 0 ? errno : 0, fd;
	struct dirent *entry;
	bool goes_on = true;
	char path[32];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", owner);
	folder = process < 0 ? NULL : opendir(path);
	if (!folder && process >= 0)
		failed = errno;
	while (folder && goes_on && (entry = readdir(folder))) {
		if (!fd__is_set(dirfd(folder), entry->d_name))
			continue;
		fd = syscall(SYS_pidfd_getfd, process, atoi(entry->d_name), 0);
		if (fd < 0) {
			failed = errno;
			continue;
		}
		goes_on = borrowed__use(fd, use, context);
		close(fd);
	}
	if (folder)
		closedir(folder);
	if (process >= 0)
		close(process);
	return failed;
}

void borrowed_sets__why(pid_t owner, int failed, char *why, size_t size)
{
	if (!owner)
		snprintf(why, size, "Who made it has ended, or can't be seen from where the agent runs.");
	else if (failed == EPERM || failed == EACCES)
		snprintf(why, size, "The agent may not look at process %d, which has it.", owner);
	else
		snprintf(why, size, "Process %d has not the set any more: it closed it, or handed it on.", owner);
}
