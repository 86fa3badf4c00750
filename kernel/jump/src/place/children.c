// SPDX-License-Identifier: GPL-2.0
#include "place/children.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST_NS 5000000000ull		/* for all of them: there may be thousands, and more come */
#define ONE_NS 300000000ull		/* for one that can't be stopped now */

/* As few of all processes are; what another recording measures now is no copy. */
static bool is_child(pid_t pid, const struct remote *remote)
{
	char path[32];
	bool is;
	int memory;

	snprintf(path, sizeof(path), "/proc/%d/mem", thread__living(pid));
	memory = open(path, O_RDONLY | O_CLOEXEC);
	if (memory < 0)
		return false;
	is = remote__has_record(remote, memory) && !remote__is_original(remote, memory);
	close(memory);
	return is;
}

static void free_one(pid_t pid, const struct remote *remote, struct freed_children *to)
{
	struct error error = { 0 };
	struct remote copy;

	if (!remote__find_copy(&copy, pid, remote))
		return;
	if (!remote__detach(&copy, &error)) {
		to->freed++;
		to->jumps += copy.image.nr;
	} else if (error.code != ERR_PROCESS_ENDED && error.code != ERR_NO_SUCH_PROCESS) {
		to->left++;
		to->left_pid = pid;
	}
	remote__free(&copy);
}

void remote__free_children(const struct remote *remote, struct freed_children *to)
{
	uint64_t begin = stopped__now_ns(), patience = stopped__patience_ns;
	DIR *processes = remote->image.nr && !remote->is_copy ? opendir("/proc") : NULL;
	struct dirent *entry;

	if (!processes)
		return;
	stopped__patience_ns = patience < ONE_NS ? patience : ONE_NS;
	while ((entry = readdir(processes))) {
		pid_t pid = atoi(entry->d_name);

		if (!pid || pid == getpid() || !is_child(pid, remote))
			continue;
		if (stopped__now_ns() - begin < MOST_NS) {
			free_one(pid, remote, to);
			continue;
		}
		to->left++;
		to->left_pid = pid;
	}
	closedir(processes);
	stopped__patience_ns = patience;
}
