// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"
#include "error.h"
#include "exec_watch.h"
#include "lookup/process_files.h"
#include "permission.h"
#include "policy.h"

enum access { ACCESS_NONE, ACCESS_OWN, ACCESS_BY_POLICY };

static struct caller caller;
static struct policy policy;
static struct fn_error refusal;		/* of everything, where its code is set */

static int held = -1;			/* its folder in /proc: of that process, also when pids return */
static struct exec_watch *watch;
static bool may_not_tell;

void permission__init(void)
{
	if (caller__find(&caller, &refusal))
		caller.restricted = true;
	else if (caller.restricted)
		policy__read(&policy, &caller, &refusal);
}

int permission__any(struct fn_error *error)
{
	if (!refusal.code)
		return 0;
	*error = refusal;
	return -1;
}

int permission__programs(struct fn_error *error)
{
	if (!caller.restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "This agent has rights that %s has not, and starts and ends no programs for it: start the program yourself and give its process id.",
			  caller.name);
}

static int open_process(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/*
 * Asks the kernel as the caller, so that the answer is that of ptrace(2): all user and group
 * ids, whether it may be dumped, capabilities, user namespaces and security modules.
 */
static bool may_trace(int process)
{
	char target[64];
	bool may;

	caller__lower(&caller);
	may = readlinkat(process, "ns/user", target, sizeof(target)) > 0;
	caller__restore(&caller);
	return may;
}

static enum access access_to(int process)
{
	if (!caller.restricted || may_trace(process))
		return ACCESS_OWN;
	return policy__allows(&policy, process) ? ACCESS_BY_POLICY : ACCESS_NONE;
}

static enum access access_to_pid(pid_t pid)
{
	int process = open_process(pid);
	enum access access = process < 0 ? ACCESS_NONE : access_to(process);

	if (process >= 0)
		close(process);
	return access;
}

static int not_allowed(pid_t pid, struct fn_error *error)
{
	return error__set(error, ERR_NO_PERMISSION,
			  "Process %d is none that %s may trace, and /etc/kview/agent.conf does not allow more: measure a process of your own, or let an administrator allow it there.",
			  pid, caller.name);
}

static bool maps(pid_t pid, const char *binary)
{
	struct process_files files;
	struct fn_error ignored = { 0 };
	bool found = false;
	size_t i;

	if (process_files__read(&files, pid, &ignored))
		return false;
	for (i = 0; i < files.nr && !found; i++)
		found = !strcmp(files.all[i].path, binary);
	process_files__free(&files);
	return found;
}

int permission__process(pid_t pid, const char *binary, struct fn_error *error)
{
	char path[32];

	if (!caller.restricted || !pid)
		return 0;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	if (access(path, F_OK) && errno == ENOENT)
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "There is no process %d; it may have ended, list the processes again.",
				  pid);
	switch (access_to_pid(pid)) {
	case ACCESS_OWN:
		return 0;
	case ACCESS_BY_POLICY:
		if (!binary || !strchr(binary, '/') || maps(pid, binary))
			return 0;
		return error__set(error, ERR_NO_PERMISSION,
				  "Process %d maps no %.200s, and of a process that %s may not trace no other files are read.",
				  pid, binary, caller.name);
	default:
		return not_allowed(pid, error);
	}
}

bool permission__describe(char *text, size_t size)
{
	if (!caller.restricted)
		return false;
	if (refusal.code)
		snprintf(text, size, "%s", refusal.message);
	else
		snprintf(text, size, "For %s it measures processes that this user may trace%s, and starts none.",
			 caller.name, policy__is_empty(&policy) ? "" :
			 policy.all_processes ? ", and by /etc/kview/agent.conf all others" :
			 ", and those that /etc/kview/agent.conf allows");
	return true;
}

int permission__find(struct fn_list *list, const struct fn_query *query, struct fn_error *error)
{
	int result;

	memset(list, 0, sizeof(*list));
	if (permission__process(query->pid, query->binary, error))
		return -1;
	if (!query->pid || access_to_pid(query->pid) != ACCESS_BY_POLICY)
		caller__lower(&caller);
	result = fn_list__find(list, query, error);
	caller__restore(&caller);
	return result;
}

void permission__begin_listing(void)
{
	if (policy__is_empty(&policy))
		caller__lower(&caller);
}

void permission__end_listing(void)
{
	caller__restore(&caller);
}

int permission__hold(pid_t pid, struct fn_error *error)
{
	if (!caller.restricted)
		return 0;
	may_not_tell = false;
	held = open_process(pid);
	if (held < 0)
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended.", pid);
	/* First this: what it executes from here on is seen. */
	watch = exec_watch__new(pid, error);
	if (!watch || access_to(held) == ACCESS_NONE) {
		if (watch)
			not_allowed(pid, error);
		permission__release();
		return -1;
	}
	return 0;
}

void permission__release(void)
{
	exec_watch__free(watch);
	watch = NULL;
	if (held >= 0)
		close(held);
	held = -1;
}

/* One that has ended is no other, and was not meanwhile: exec_watch would have seen it. */
static bool has_ended(void)
{
	return faccessat(held, "status", F_OK, 0) && (errno == ESRCH || errno == ENOENT);
}

void permission__attached(void)
{
	if (held >= 0 && has_ended())
		may_not_tell = true;
}

bool permission__may_tell(void)
{
	if (held < 0)
		return true;
	if (!may_not_tell && !policy.all_processes)
		may_not_tell = exec_watch__was_raised(watch) ||
			       (access_to(held) == ACCESS_NONE && !has_ended());
	return !may_not_tell;
}
