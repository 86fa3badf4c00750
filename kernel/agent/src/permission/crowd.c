// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/error.h"
#include "base/proc_text.h"
#include "permission/crowd.h"

#define AGENT		"kview-agent"
#define RECORDING	"kview-recording"

/*
 * Finds out who called an agent that runs as root, from the environment variables that sudo, pkexec
 * or doas set.  The caller can put megabytes of other variables before them.  An agent whose
 * variables can't be read counts as called by this caller.
 */
static bool was_called_by(int process, const struct caller *caller)
{
	int fd = openat(process, "environ", O_RDONLY | O_CLOEXEC);
	FILE *environ = fd < 0 ? NULL : fdopen(fd, "r");
	char by_sudo[32], by_pkexec[32], by_doas[96], *variable = NULL;
	/* ESRCH: the process has ended, and only waits for its parent. */
	bool found = false, whole = fd < 0 && errno == ESRCH;
	size_t room = 0;

	snprintf(by_sudo, sizeof(by_sudo), "SUDO_UID=%u", caller->uid);
	snprintf(by_pkexec, sizeof(by_pkexec), "PKEXEC_UID=%u", caller->uid);
	snprintf(by_doas, sizeof(by_doas), "DOAS_USER=%s", caller->name);
	while (environ && !found && getdelim(&variable, &room, 0, environ) > 0)
		found = !strcmp(variable, by_sudo) || !strcmp(variable, by_pkexec) ||
			!strcmp(variable, by_doas);
	whole |= environ && feof(environ);
	free(variable);
	if (environ)
		fclose(environ);
	else if (fd >= 0)
		close(fd);
	return found || (!whole && !faccessat(process, "status", F_OK, 0));
}

static bool is_callers(int process, const struct caller *caller)
{
	char status[4096];
	const char *line;
	uid_t real;

	proc_text__read(process, "status", status, sizeof(status));
	line = strstr(status, "\nUid:");
	/* What can't be read, which a caller can cause, counts as the caller's. */
	if (!line || sscanf(line, "\nUid: %u", &real) != 1)
		return errno != ENOENT && errno != ESRCH;
	return real ? real == caller->uid : was_called_by(process, caller);
}

/* Counts others than this one.  An agent's name may be followed by its version. */
static int count(const struct caller *caller, bool recording)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int found = proc ? 0 : INT_MAX;

	while (proc && found < INT_MAX && (entry = readdir(proc))) {
		char comm[32] = "";
		int process;

		if (!isdigit((unsigned char)entry->d_name[0]) || atoi(entry->d_name) == getpid())
			continue;
		process = openat(dirfd(proc), entry->d_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
		/* What can't be read, which a caller can cause, may be the caller's: it is too many. */
		if ((process < 0 && errno != ENOENT) ||
		    (process >= 0 && !proc_text__read(process, "comm", comm, sizeof(comm)) &&
		     errno != ENOENT && errno != ESRCH)) {
			found = INT_MAX;
			comm[0] = 0;
		}
		if (process < 0)
			continue;
		if ((!strcmp(comm, RECORDING "\n") ||
		     (!recording && !strncmp(comm, AGENT, strlen(AGENT)))) &&
		    is_callers(process, caller))
			found++;
		close(process);
	}
	if (proc)
		closedir(proc);
	return found;
}

int crowd__enter(const struct caller *caller, struct error *error)
{
	prctl(PR_SET_NAME, AGENT);
	if (count(caller, false) < CROWD_MAX_AGENTS)
		return 0;
	return error__set(error, ERR_TOO_MANY,
			  "%s has %d agents on this host already, as many as one user may have at once: close some connections.",
			  caller->name, CROWD_MAX_AGENTS);
}

int crowd__begin_recording(const struct caller *caller, struct error *error)
{
	/*
	 * Set before counting, so that of two agents that count at the same time at least one sees
	 * the other.
	 */
	prctl(PR_SET_NAME, RECORDING);
	if (count(caller, true) < CROWD_MAX_RECORDINGS)
		return 0;
	crowd__end_recording();
	return error__set(error, ERR_TOO_MANY,
			  "%s records %d times on this host already, as often as one user may at once: end one of the recordings.",
			  caller->name, CROWD_MAX_RECORDINGS);
}

void crowd__end_recording(void)
{
	prctl(PR_SET_NAME, AGENT);
}
