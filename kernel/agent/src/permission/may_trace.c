// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/rights.h"
#include "permission/may_trace.h"

/*
 * Asks the kernel as the caller, so that the answer is that of ptrace(2): all user and group
 * ids, whether it may be dumped, capabilities, user namespaces and security modules.  This one asks
 * whether the process may be looked at.
 */
bool may_look(int process)
{
	char target[64];
	bool may;

	rights__lower();
	may = readlinkat(process, "ns/user", target, sizeof(target)) > 0;
	rights__restore();
	return may;
}

/* By any thread: the first one may have ended, and has no memory then. */
static bool opens_memory(int process)
{
	int fd = openat(process, "mem", O_RDONLY | O_CLOEXEC), tasks;
	struct dirent *entry;
	char name[300];
	DIR *threads;

	tasks = fd >= 0 ? -1 : openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	threads = tasks < 0 ? NULL : fdopendir(tasks);
	if (tasks >= 0 && !threads)
		close(tasks);
	while (threads && fd < 0 && (entry = readdir(threads))) {
		snprintf(name, sizeof(name), "%s/mem", entry->d_name);
		if (*entry->d_name != '.')
			fd = openat(tasks, name, O_RDONLY | O_CLOEXEC);
	}
	if (threads)
		closedir(threads);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/*
 * Whether it may be attached to, and changed: that is what the kernel asks where its memory is
 * opened.  Some hosts allow less than to look, see kernel.yama.ptrace_scope.
 */
bool may_attach(int process)
{
	bool may;

	rights__lower();
	may = opens_memory(process);
	rights__restore();
	return may && may_look(process);
}
