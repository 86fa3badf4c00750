// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rights.h"
#include "lookup/process_files.h"
#include "permission/access.h"
#include "permission/crowd.h"
#include "permission/exec_watch.h"
#include "permission/may_trace.h"
#include "permission/own_program.h"
#include "permission/permission.h"
#include "permission/permission_state.h"
#include "permission/policy.h"

struct caller caller;
struct policy policy;
static struct error refusal;		/* of everything, where its code is set */

static pid_t held_pid;
static int held = -1;			/* its folder in /proc: of that process, also when pids return */
static struct exec_watch *watch;
static bool may_not_tell;

int permission__init(struct error *error)
{
	if (caller__find(&caller, &refusal))
		caller.restricted = true;
	else if (caller.restricted && (!caller.by_file || !own_program__check(&refusal)))
		policy__read(&policy, &caller, &refusal);
	return caller.restricted ? crowd__enter(&caller, error) : 0;
}

int permission__any(struct error *error)
{
	if (!refusal.code)
		return 0;
	*error = refusal;
	return -1;
}

const struct caller *permission__caller(void)
{
	return &caller;
}

int permission__system_calls(struct error *error)
{
	if (!caller.restricted || policy.system_calls)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Measuring system calls makes those of all processes slower, and /etc/kview/agent.conf does not allow that to %s: let an administrator allow it there (user %s system-calls).",
			  caller.name, caller.name);
}

int access__open_process(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

enum access access__to(int process)
{
	if (!caller.restricted || may_look(process))
		return ACCESS_OWN;
	return policy__allows(&policy, process) ? ACCESS_BY_POLICY : ACCESS_NONE;
}

static enum access access_to_pid(pid_t pid)
{
	int process = access__open_process(pid);
	enum access access = process < 0 ? ACCESS_NONE : access__to(process);

	if (process >= 0)
		close(process);
	return access;
}

/* As the caller: some hosts show a user no processes of others, see proc(5) for hidepid. */
static bool may_see(pid_t pid)
{
	char path[32];
	struct stat st;
	bool may;

	snprintf(path, sizeof(path), "/proc/%d", pid);
	rights__lower();
	may = !stat(path, &st);
	rights__restore();
	return may;
}

/* If the caller sees no process of that number, the answer is the same whether or not one exists. */
int access__refuse(pid_t pid, struct error *error)
{
	if (!may_see(pid))
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "There is no process %d that %s may see: it may have ended, list the processes again; on a host that hides others' processes let an administrator allow it in /etc/kview/agent.conf.",
				  pid, caller.name);
	return error__set(error, ERR_NO_PERMISSION,
			  "Process %d may not be traced by %s, and /etc/kview/agent.conf does not allow measuring it either: measure a process of your own, or let an administrator allow it there.",
			  pid, caller.name);
}

int permission__process(pid_t pid, const char *binary, struct error *error)
{
	if (!caller.restricted || !pid)
		return 0;
	switch (access_to_pid(pid)) {
	case ACCESS_OWN:
		return 0;
	case ACCESS_BY_POLICY:
		if (!binary || !strchr(binary, '/') || process__maps(pid, binary))
			return 0;
		return error__set(error, ERR_NO_PERMISSION,
				  "Process %d does not map %.200s, and because %s may not trace this process, only files that it maps are read.",
				  pid, binary, caller.name);
	default:
		return access__refuse(pid, error);
	}
}

bool permission__describe(char *text, size_t size)
{
	if (!caller.restricted)
		return false;
	if (refusal.code)
		snprintf(text, size, "%s", refusal.message);
	else
		snprintf(text, size, "For %s it measures processes that this user may trace%s%s, and starts none.",
			 caller.name, !policy__has_processes(&policy) ? "" :
			 policy.all_processes ? ", and by /etc/kview/agent.conf all others" :
			 ", and those that /etc/kview/agent.conf allows",
			 policy.system_calls ? ", their system calls too" : "");
	return true;
}

void permission__begin_listed(int process)
{
	if (!policy__allows(&policy, process))
		rights__lower();
}

void permission__end_listed(void)
{
	rights__restore();
}

/* Attaching is checked only here.  Later it is only checked whose process it is. */
static int check_attach(pid_t pid, struct error *error)
{
	if (access__to(held) == ACCESS_NONE)
		return access__refuse(pid, error);
	if (may_attach(held) || policy__allows(&policy, held))
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "%s may look at process %d but not attach to it (see kernel.yama.ptrace_scope): let the program allow it by PR_SET_PTRACER, or an administrator in /etc/kview/agent.conf.",
			  caller.name, pid);
}

int permission__hold(pid_t pid, struct error *error)
{
	if (!caller.restricted)
		return 0;
	may_not_tell = false;
	if (permission__process(pid, NULL, error))
		return -1;
	held = access__open_process(pid);
	held_pid = pid;
	if (held < 0)
		return access__refuse(pid, error);
	if (crowd__begin_recording(&caller, error)) {
		close(held);
		held = -1;
		return -1;
	}
	/* This comes first, so that whatever the process executes from here on is seen. */
	watch = exec_watch__new(pid, error);
	if (!watch || check_attach(pid, error)) {
		permission__release();
		return -1;
	}
	return 0;
}

int permission__risk(bool risks, struct error *error)
{
	if (!risks || held < 0 || access__to(held) == ACCESS_OWN)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Forced return probes, and budgets of more than 25 %% or none, are allowed only for processes that %s may trace: they can end a process or slow it without limit, and /etc/kview/agent.conf allows only measuring.",
			  caller.name);
}

bool permission__raising_files(void)
{
	/* The process's owner decides which program it executes next. */
	return held < 0 || (policy.all_processes && access__to(held) == ACCESS_BY_POLICY);
}

void permission__release(void)
{
	exec_watch__free(watch);
	watch = NULL;
	if (held < 0)
		return;
	close(held);
	held = -1;
	crowd__end_recording();
}

/* Until its end it was the held process: exec_watch would have seen it execute another program. */
static bool has_ended(void)
{
	return faccessat(held, "status", F_OK, 0) && (errno == ESRCH || errno == ENOENT);
}

void permission__attached(void)
{
	if (held >= 0 && has_ended())
		may_not_tell = true;
	permission__looks();
}

bool permission__looks(void)
{
	return !watch || exec_watch__looks(watch, PERMISSION_BLIND_S * 1000000000ULL);
}

bool permission__ends_at_raise(void)
{
	return caller.restricted && !policy.all_processes;
}

uint64_t permission__memory(void)
{
	uint64_t share = (uint64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / 128;

	if (!caller.restricted)
		return 0;
	return share < PERMISSION_MAX_MEMORY ? share : PERMISSION_MAX_MEMORY;
}

/* Users who may do less than the agent get no more of the CPUs by it. */
bool permission__may_go_first(void)
{
	return !caller.restricted;
}

bool permission__may_tell(void)
{
	if (held < 0)
		return true;
	if (!may_not_tell && !policy.all_processes)
		may_not_tell = exec_watch__was_raised(watch) ||
			       (access__to(held) == ACCESS_NONE && !has_ended());
	return !may_not_tell;
}

const char *permission__restricted(void)
{
	return caller.restricted ? caller.name : NULL;
}

bool permission__allows_jumps(void)
{
	return policy.jumps;
}

bool permission__may_trace_held(void)
{
	return held < 0 || (!has_ended() && access__to(held) == ACCESS_OWN && may_attach(held));
}

bool permission__holds(pid_t pid)
{
	return held >= 0 && pid == held_pid;
}

bool permission__may_trace(pid_t pid)
{
	int process = access__open_process(pid);
	bool may = process >= 0 && access__to(process) == ACCESS_OWN && may_attach(process);

	if (process >= 0)
		close(process);
	return may;
}
