// SPDX-License-Identifier: GPL-2.0
#include "lookup/thread_policies.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

/* In the kernel's masks of signals the lowest bit is the first one's. */
static bool has_any_fault(unsigned long long mask)
{
	return mask & (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) | 1ull << (SIGFPE - 1));
}

void thread_policies__add(struct thread_policies *policies, FILE *status)
{
	static const char features[] = "x86_Thread_features:";
	char line[256];
	unsigned long long caught;
	char state;
	int mode;

	while (fgets(line, sizeof(line), status)) {
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			policies->filtered |= mode > 0;
		else if (sscanf(line, "State: %c", &state) == 1)
			policies->lives |= state != 'Z' && state != 'X';
		else if (sscanf(line, "SigCgt: %llx", &caught) == 1)
			policies->handles_faults |= has_any_fault(caught);
		else if (!strncmp(line, features, strlen(features)))
			policies->shadow_stack |= strstr(line, "shstk") != NULL;
	}
}

bool thread_policies__read(struct thread_policies *policies, pid_t pid, bool of_all)
{
	char path[sizeof("/proc//task/") + 16], of_thread[sizeof(path) + 256 + sizeof("/status")];
	const struct thread_policies all = { true, true, true, true };
	const struct dirent *entry;
	bool is_known = true;
	DIR *threads;

	*policies = (struct thread_policies){ 0 };
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	threads = opendir(path);
	if (!threads) {
		*policies = all;
		return false;
	}
	while ((of_all || !policies->lives) && (entry = readdir(threads))) {
		FILE *status;

		if (!isdigit(entry->d_name[0]))
			continue;
		snprintf(of_thread, sizeof(of_thread), "%s/%s/status", path, entry->d_name);
		status = fopen(of_thread, "re");
		if (status) {
			thread_policies__add(policies, status);
			fclose(status);
		} else if (errno != ENOENT && errno != ESRCH) {
			/* The thread has not ended, but can't be read: assume the worst. */
			*policies = all;
			is_known = false;
		}
	}
	closedir(threads);
	return is_known;
}

bool process__has_shadow_stacks(pid_t pid)
{
	struct thread_policies policies;

	thread_policies__read(&policies, pid, false);
	return policies.shadow_stack;
}

pid_t process__tracer(pid_t pid)
{
	char path[32], line[256];
	pid_t tracer = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "TracerPid: %d", &tracer) == 1)
			break;
	if (status)
		fclose(status);
	return tracer;
}
