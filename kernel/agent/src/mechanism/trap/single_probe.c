// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/cutoff.h"
#include "mechanism/trap/single_probe.h"

#define PMU	"/sys/bus/event_source/devices/uprobe/"

/* A number in a file of the kernel's, behind prefix; -1 if there is none. */
static int read_number(const char *path, const char *prefix)
{
	FILE *file = fopen(path, "re");
	char line[64] = "";
	int number = -1;

	if (!file)
		return -1;
	if (fgets(line, sizeof(line), file) && !strncmp(line, prefix, strlen(prefix)) &&
	    isdigit(line[strlen(prefix)]))
		number = atoi(line + strlen(prefix));
	fclose(file);
	return number;
}

int single_probe__attach(struct single_probe *probe, int program_fd)
{
	LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event.bpf_cookie = probe->cookie);
	struct perf_event_attr event = { .size = sizeof(event), .disabled = 1 };
	int type = read_number(PMU "type", "");
	int return_bit = read_number(PMU "format/retprobe", "config:");
	int counter_bit = probe->counter ? read_number(PMU "format/ref_ctr_offset", "config:") : 0;

	if (type < 0 || return_bit < 0 || counter_bit < 0)
		return -ENOENT;
	event.type = type;
	event.config = (probe->on_return ? 1ULL << return_bit : 0) | probe->counter << counter_bit;
	event.uprobe_path = (uintptr_t)probe->path;
	event.probe_offset = probe->offset;
	probe->event_fd = syscall(SYS_perf_event_open, &event, probe->tid, -1, -1,
				  PERF_FLAG_FD_CLOEXEC);
	if (probe->event_fd < 0)
		return -errno;
	probe->link_fd = bpf_link_create(program_fd, probe->event_fd, BPF_PERF_EVENT, &opts);
	if (probe->link_fd >= 0) {
		cutoff__add(probe->link_fd);
		cutoff__add(probe->event_fd);
		return 0;
	}
	close(probe->event_fd);
	return probe->link_fd;
}

void single_probe__detach(const struct single_probe *probe)
{
	cutoff__remove(probe->link_fd);
	cutoff__remove(probe->event_fd);
	close(probe->link_fd);
	close(probe->event_fd);
}

static bool thread__lives(pid_t pid, pid_t tid)
{
	char path[64], line[256] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return false;
	state = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	return state && state[1] == ' ' && !strchr("ZX", state[2]);
}

pid_t single_probe__thread_of(pid_t pid)
{
	struct dirent *entry;
	pid_t found = -1;
	char path[32];
	DIR *threads;

	if (thread__lives(pid, pid))
		return pid;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	if (!threads)
		return -1;
	while (found < 0 && (entry = readdir(threads)))
		if (isdigit(*entry->d_name) && thread__lives(pid, atoi(entry->d_name)))
			found = atoi(entry->d_name);
	closedir(threads);
	return found;
}
