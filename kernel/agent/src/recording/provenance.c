// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/message_list.h"
#include "recording/provenance.h"

/* The rest of the first line that begins with key, without what precedes and follows it. */
static char *line__of(const char *path, const char *key, char *text, size_t size)
{
	size_t length = strlen(key);
	FILE *file = fopen(path, "re");
	char line[512];

	*text = '\0';
	while (file && fgets(line, sizeof(line), file)) {
		const char *value = line + length;
		size_t i, out = 0;

		if (strncmp(line, key, length))
			continue;
		value += strspn(value, " \t:");
		for (i = 0; value[i] && value[i] != '\n' && out + 1 < size; i++)
			text[out++] = value[i] < 0x20 || value[i] > 0x7e ? '?' : value[i];
		text[out] = '\0';
		break;
	}
	if (file)
		fclose(file);
	return text;
}

char *provenance__cpu_model(char *text, size_t size)
{
	return line__of("/proc/cpuinfo", "model name", text, size);
}

char *provenance__boot_id(char *text, size_t size)
{
	return line__of("/proc/sys/kernel/random/boot_id", "", text, size);
}

void provenance__process(Kview__Wire__Process *message, const struct ps_process *process)
{
	kview__wire__process__init(message);
	message->pid = process->pid;
	message->parent_pid = process->parent_pid;
	message->uid = process->uid;
	message->user = process->user;
	message->name = process->name;
	message->n_arguments = process->nr_arguments;
	message->arguments = process->arguments;
	message->executable = process->executable;
	message->threads = process->threads;
	message->cpu_time_ns = process->cpu_time_ns;
	message->start_time_ns = process->start_time_ns;
	message->cgroup = process->cgroup;
	message->kernel_thread = process->kernel_thread;
}

static bool is_told(const Kview__Wire__StartRecordingReply *reply, const char *path)
{
	size_t i;

	for (i = 0; i < reply->n_binaries; i++)
		if (!strcmp(reply->binaries[i]->path, path))
			return true;
	return false;
}

static size_t nr_files(const struct mechanisms *mechanisms)
{
	Kview__Wire__Binary file = KVIEW__WIRE__BINARY__INIT;
	size_t nr = 0;

	while (mechanisms__file(mechanisms, nr, &file))
		nr++;
	return nr;
}

/* Of what the process runs. */
static int executable__stat(pid_t pid, struct stat *file)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	return stat(path, file);
}

void provenance__read(struct provenance *provenance, pid_t pid)
{
	struct stat file;

	memset(provenance, 0, sizeof(*provenance));
	/* First: where it executes another one before the rest is read, that is found out. */
	if (!executable__stat(pid, &file)) {
		provenance->device = file.st_dev;
		provenance->inode = file.st_ino;
	}
	provenance->is_known = !ps_process__read(&provenance->process, pid);
}

int provenance__check(const struct provenance *provenance, struct error *error)
{
	pid_t pid = provenance->process.pid;
	struct ps_process now = { 0 };
	struct stat file;
	int result = 0;

	if (!provenance->is_known || !provenance->inode)
		return 0;
	if (executable__stat(pid, &file)) {
		/* Where it has ended others say so, who know how. */
		if (errno != EACCES && errno != EPERM)
			return 0;
	} else if (file.st_dev == provenance->device && file.st_ino == provenance->inode) {
		return 0;
	}
	if (!ps_process__read(&now, pid))
		result = error__set(error, ERR_FAILED,
				    "Process %d executed another program%s%.200s, while its functions were looked up: record it anew.",
				    pid, *now.executable ? ", " : "", now.executable);
	ps_process__free(&now);
	return result;
}

int provenance__fill(struct provenance *provenance, Kview__Wire__StartRecordingReply *reply,
		     const struct mechanisms *mechanisms)
{
	size_t nr = nr_files(mechanisms), i;

	if (provenance->is_known) {
		provenance__process(&provenance->message, &provenance->process);
		reply->process = &provenance->message;
	}
	provenance->binaries = message_list__new(nr, sizeof(**provenance->binaries));
	if (!provenance->binaries)
		return -1;
	reply->binaries = provenance->binaries;
	for (i = 0; i < nr; i++) {
		Kview__Wire__Binary file = KVIEW__WIRE__BINARY__INIT;

		mechanisms__file(mechanisms, i, &file);
		if (file.path && !is_told(reply, file.path))
			*provenance->binaries[reply->n_binaries++] = file;
	}
	return 0;
}

void provenance__free(struct provenance *provenance)
{
	ps_process__free(&provenance->process);
	free(provenance->binaries);
}
