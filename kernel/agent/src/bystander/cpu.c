// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bystander/cpu.h"

/* In /proc/PID/task/TID/stat, counted from the state, which follows the name. */
#define LAST_CPU	36

/* The CPU that a thread ran on last; -1: it is not known. */
static int thread__cpu(pid_t pid, pid_t tid)
{
	char path[64], line[1024] = "", *field, *rest = NULL;
	FILE *file;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	file = fopen(path, "re");
	if (!file)
		return -1;
	field = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	field = field ? strtok_r(field + 1, " ", &rest) : NULL;
	for (i = 0; field && i < LAST_CPU; i++)
		field = strtok_r(NULL, " ", &rest);
	return field && isdigit(*field) ? atoi(field) : -1;
}

static bool cpu__last(const cpu_set_t *own, int *cpu)
{
	int i;

	for (i = CPU_SETSIZE - 1; i >= 0; i--) {
		if (CPU_ISSET(i, own)) {
			*cpu = i;
			return true;
		}
	}
	return false;
}

enum cpu_use cpu__among(const cpu_set_t *own, const cpu_set_t *allowed, const cpu_set_t *used, int *cpu)
{
	cpu_set_t both, without;

	CPU_AND(&both, own, allowed);
	CPU_AND(&without, &both, used);
	CPU_XOR(&without, &without, &both);
	if (cpu__last(&without, cpu))
		return CPU_UNUSED;
	CPU_XOR(&without, own, &both);
	if (cpu__last(&without, cpu))
		return CPU_FORBIDDEN;
	if (!cpu__last(own, cpu))
		*cpu = -1;
	return CPU_SHARED;
}

void cpus__remove(cpu_set_t *cpus, const char *list)
{
	unsigned long first, last;
	char *end;

	while (isdigit(*list)) {
		first = last = strtoul(list, &end, 10);
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < CPU_SETSIZE; first++)
			CPU_CLR(first, cpus);
		list = *end == ',' ? end + 1 : end;
	}
}

/* Set apart at boot for programs that nothing may disturb: "2-3,5", or "(null)". */
static void cpus__remove_isolated(cpu_set_t *cpus)
{
	static const char *const paths[] = { "/sys/devices/system/cpu/isolated", "/sys/devices/system/cpu/nohz_full" };
	char list[4096];
	FILE *file;
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		file = fopen(paths[i], "re");
		if (file && fgets(list, sizeof(list), file))
			cpus__remove(cpus, list);
		if (file)
			fclose(file);
	}
}

static void process__read(pid_t pid, cpu_set_t *allowed, cpu_set_t *used)
{
	const struct dirent *entry;
	cpu_set_t of_thread;
	char path[64];
	DIR *threads;
	int cpu;

	CPU_ZERO(allowed);
	CPU_ZERO(used);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	while (threads && (entry = readdir(threads))) {
		if (!isdigit(*entry->d_name))
			continue;
		CPU_ZERO(&of_thread);
		if (!sched_getaffinity(atoi(entry->d_name), sizeof(of_thread), &of_thread))
			CPU_OR(allowed, allowed, &of_thread);
		cpu = thread__cpu(pid, atoi(entry->d_name));
		/* It may not go back to where it ran last: it will come to one of those where it may. */
		if (cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &of_thread))
			CPU_SET(cpu, used);
		else
			CPU_OR(used, used, &of_thread);
	}
	if (threads)
		closedir(threads);
	if (!CPU_COUNT(allowed))
		memset(allowed, 0xff, sizeof(*allowed));
	if (!CPU_COUNT(used))
		memset(used, 0xff, sizeof(*used));
}

enum cpu_use cpu__choose(pid_t pid, int *cpu)
{
	cpu_set_t own, allowed, used;

	CPU_ZERO(&own);
	sched_getaffinity(0, sizeof(own), &own);
	cpus__remove_isolated(&own);
	process__read(pid, &allowed, &used);
	return cpu__among(&own, &allowed, &used, cpu);
}
