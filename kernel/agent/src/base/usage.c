// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "base/usage.h"

uint64_t usage__cpu_ns(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ULL +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ULL;
}

uint64_t usage__process_cpu_ns(pid_t pid)
{
	struct timespec taken;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &taken))
		return 0;
	return taken.tv_sec * 1000000000ULL + taken.tv_nsec;
}

/*
 * Not from ru_maxrss, because that includes the memory of the program that this
 * process ran before exec.
 */
uint64_t usage__peak_rss_bytes(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *status = fopen("/proc/self/status", "re");

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "VmHWM: %llu", &kib) == 1)
			break;
	if (status)
		fclose(status);
	return kib * 1024;
}
