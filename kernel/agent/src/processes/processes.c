// SPDX-License-Identifier: GPL-2.0
#include "processes/processes.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/proc_text.h"
#include "base/sort.h"
#include "lookup/names.h"

#define MAX_FILE_BYTES 65536
#define IS_KERNEL_THREAD 0x00200000	/* PF_KTHREAD */
#define HAS_NOT_EXECUTED 0x00000040	/* PF_FORKNOEXEC */

static size_t read_file(int process, const char *name, char *content)
{
	return proc_text__read(process, name, content, MAX_FILE_BYTES);
}

/*
 * /proc tells start times of processes on CLOCK_BOOTTIME, which goes on while the host is suspended, as the agent's
 * time namespace has it.
 */
static int64_t behind_proc_ns(void)
{
	struct timespec boot;

	clock_gettime(CLOCK_BOOTTIME, &boot);
	return (int64_t)(boot.tv_sec * 1000000000ull + boot.tv_nsec - clock__now_ns());
}

/* The name can contain any character, even ")": it ends at the last one. */
static int read_stat(struct ps_process *process, int folder, char *content)
{
	uint64_t tick_ns = 1000000000ull / sysconf(_SC_CLK_TCK), user, system, start;
	int64_t started_ns;
	char *name, *behind;
	unsigned int flags;
	long threads;
	int parent;

	read_file(folder, "stat", content);
	name = strchr(content, '(');
	behind = strrchr(content, ')');
	if (!name || !behind || behind < name ||
	    sscanf(behind + 1, " %*c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
		   " %*d %*d %*d %*d %ld %*d %" SCNu64, &parent, &flags, &user, &system, &threads,
		   &start) != 6)
		return -1;
	*behind = 0;
	process->name = name__printable(name + 1);
	process->parent_pid = parent;
	process->kernel_thread = flags & IS_KERNEL_THREAD;
	process->has_executed = !(flags & HAS_NOT_EXECUTED);
	process->threads = threads;
	process->cpu_time_ns = (user + system) * tick_ns;
	started_ns = start * tick_ns - behind_proc_ns();
	process->start_time_ns = started_ns > 0 ? started_ns : 0;
	return process->name ? 0 : -1;
}

/* So many recent processes are searched for the same user, to save reading the file each time. */
#define LOOKED_BACK 64

static const char *user_of_others(const struct ps_list *others, uid_t uid)
{
	size_t last = others ? others->nr : 0;

	for (size_t i = last; i > 0 && last - i < LOOKED_BACK; i--)
		if (others->processes[i - 1].uid == uid)
			return others->processes[i - 1].user;
	return NULL;
}

char *ps_user__name(uid_t uid)
{
	/* Not getpwuid: it would load plug-ins, even in a static program. */
	FILE *passwd = fopen("/etc/passwd", "re");
	struct passwd *entry;
	char *name = NULL;

	while (passwd && !name && (entry = fgetpwent(passwd)))
		if (entry->pw_uid == uid)
			name = name__printable(entry->pw_name);
	if (passwd)
		fclose(passwd);
	if (!name && asprintf(&name, "%u", uid) < 0)
		return NULL;
	return name;
}

static int read_user(struct ps_process *process, int folder, char *content,
		     const struct ps_list *others)
{
	const char *line, *known;

	read_file(folder, "status", content);
	line = strstr(content, "\nUid:");
	if (!line || sscanf(line, "\nUid: %*u %u", &process->uid) != 1)
		return -1;
	known = user_of_others(others, process->uid);
	process->user = known ? strdup(known) : ps_user__name(process->uid);
	return process->user ? 0 : -1;
}

static int read_arguments(struct ps_process *process, int folder, char *content)
{
	size_t length = read_file(folder, "cmdline", content), count = 0;

	/* If the process overwrote its arguments with a title, there may be NULs at the end. */
	while (length && !content[length - 1])
		length--;
	if (!length)
		return 0;
	for (size_t i = 0; i <= length; i++)
		count += i == length || !content[i];
	process->arguments = calloc(count + 1, sizeof(*process->arguments));
	if (!process->arguments)
		return -1;
	for (const char *at = content; at <= content + length && process->nr_arguments < count;
	     at += strlen(at) + 1) {
		char *argument = name__printable(at);

		if (!argument)
			return -1;
		process->arguments[process->nr_arguments++] = argument;
	}
	return 0;
}

static int read_executable(struct ps_process *process, int folder)
{
	char path[4096];
	ssize_t length = readlinkat(folder, "exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = 0;
	process->executable = name__printable(path);
	return process->executable ? 0 : -1;
}

/* 0::PATH is the unified hierarchy; older hosts have systemd's hierarchy instead. */
static int read_cgroup(struct ps_process *process, int folder, char *content)
{
	char *path = NULL, *rest;

	read_file(folder, "cgroup", content);
	for (char *line = strtok_r(content, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *controllers = strchr(line, ':');
		char *colon = controllers ? strchr(controllers + 1, ':') : NULL;

		if (colon && (!strncmp(line, "0::", 3) ||
			      (!path && !strncmp(controllers, ":name=systemd:", 14))))
			path = colon + 1;
	}
	process->cgroup = name__printable(path ? path : "");
	return process->cgroup ? 0 : -1;
}

static int read_process(struct ps_process *process, pid_t pid, const struct ps_reader *reader,
			const struct ps_list *others)
{
	char *content = malloc(MAX_FILE_BYTES);
	int folder, err = -1;
	char path[32];

	memset(process, 0, sizeof(*process));
	process->pid = pid;
	/*
	 * All is read through this folder, so that it is of one process even if the pid is used
	 * again.
	 */
	snprintf(path, sizeof(path), "/proc/%d", pid);
	folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (reader && folder >= 0)
		reader->begin(folder);
	if (content && folder >= 0)
		err = read_stat(process, folder, content) ||
		      read_user(process, folder, content, others) ||
		      read_arguments(process, folder, content) ||
		      read_executable(process, folder) || read_cgroup(process, folder, content);
	if (reader && folder >= 0)
		reader->end();
	if (folder >= 0)
		close(folder);
	free(content);
	return err ? -1 : 0;
}

int ps_process__read(struct ps_process *process, pid_t pid)
{
	return read_process(process, pid, NULL, NULL);
}

void ps_process__free(struct ps_process *process)
{
	for (size_t i = 0; i < process->nr_arguments; i++)
		free(process->arguments[i]);
	free(process->arguments);
	free(process->user);
	free(process->name);
	free(process->executable);
	free(process->cgroup);
	memset(process, 0, sizeof(*process));
}

static int compare_pids(const void *a, const void *b)
{
	return ((const struct ps_process *)a)->pid - ((const struct ps_process *)b)->pid;
}

int ps_list__read(struct ps_list *list, const struct ps_reader *reader)
{
	DIR *proc = opendir("/proc");
	size_t room = 0;
	struct dirent *entry;

	memset(list, 0, sizeof(*list));
	if (!proc)
		return -1;
	while ((entry = readdir(proc))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		if (list->nr == room) {
			struct ps_process *grown;

			room = room ? 2 * room : 256;
			grown = realloc(list->processes, room * sizeof(*grown));
			if (!grown) {
				closedir(proc);
				return -1;
			}
			list->processes = grown;
		}
		if (read_process(&list->processes[list->nr], atoi(entry->d_name), reader, list))
			ps_process__free(&list->processes[list->nr]);
		else
			list->nr++;
	}
	closedir(proc);
	if (list->nr)
		sort(list->processes, list->nr, sizeof(*list->processes), compare_pids);
	return 0;
}

void ps_list__free(struct ps_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		ps_process__free(&list->processes[i]);
	free(list->processes);
	memset(list, 0, sizeof(*list));
}
