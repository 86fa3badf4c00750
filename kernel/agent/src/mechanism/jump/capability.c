// SPDX-License-Identifier: GPL-2.0
/* Whether this host's processor and kernel have what jumps need, whether who asks may use them, and what a call costs. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "mechanism/jump/jump.h"
#include "permission/permission.h"
#include "place/inject.h"
#include "place/stamp_cost.h"

/* As the figures of a process are: its own, which is asked in the same way. */
static int check_map_files(struct error *error)
{
	DIR *files = opendir("/proc/self/map_files");
	struct dirent *entry;
	int file = -1;

	while (files && file < 0 && (entry = readdir(files)))
		if (*entry->d_name != '.')
			file = openat(dirfd(files), entry->d_name, O_RDONLY | O_CLOEXEC);
	if (files)
		closedir(files);
	if (file >= 0)
		close(file);
	return file >= 0 ? 0 : error__set(error, ERR_NO_PERMISSION, "The agent may not open what processes map (CAP_CHECKPOINT_RESTORE).");
}

bool mechanism__has_jumps(char *detail, size_t size)
{
	struct error error = { 0 };
	struct stamp_cost cost;

	if (permission__change(&error)) {
		snprintf(detail, size, "%s", error.message);
		return false;
	}
	if (check_map_files(&error) || clock__check(&error) || injector__check_kernel(&error) ||
	    stamp_cost__measure(&cost, false, &error)) {
		snprintf(detail, size, "Functions can't be measured by jumps: %.200s", error.message);
		return false;
	}
	snprintf(detail, size, "Functions can be measured by jumps where that is asked for, which writes code into the process: a call takes %.0f ns longer here.",
		 cost.call_ns);
	return true;
}
