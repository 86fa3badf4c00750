// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "permission/permission.h"
#include "processes/processes.h"
#include "recording/filter.h"
#include "recording/recording.h"
#include "recording/request.h"

/* Start times are told in steps of 10 ms, from two clocks. */
#define START_TIME_ERROR_NS 20000000ull

static bool has_functions(const Kview__Wire__StartRecordingRequest *request)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if (request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_USER_FUNCTION ||
		    request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT__NOT_SET)
			return true;
	return false;
}

/* What is of one process alone.  group: what is measured instead. */
static int check_group(const Kview__Wire__StartRecordingRequest *request, const char *group, const char *alone, struct error *error)
{
	const char *asked = request->filter == KVIEW__WIRE__FILTER__FILTER_VIEW && has_functions(request) ? "in a kernel view with functions of programs" :
		request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP ? "by jumps" :
		request->force_return_probes ? "with forced return probes" :
		request->waits ? "with what calls waited for" : NULL;

	return asked ? error__set(error, ERR_UNSUPPORTED, "%s can't be recorded %s, which is of one process: record it without, or %s.", group, asked, alone) : 0;
}

static bool is_tree(const Kview__Wire__Scope *scope)
{
	return scope->kind_case == KVIEW__WIRE__SCOPE__KIND_PROCESS_TREE;
}

/* What is measured of one process or a cgroup alone. */
static int check_tree(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	size_t i;

	for (i = 0; i < request->n_probes; i++)
		if (request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_STATIC_PROBE ||
		    request->probes[i]->point_case == KVIEW__WIRE__PROBE__POINT_STATIC_PAIR)
			return error__set(error, ERR_UNSUPPORTED, "Static probes are measured of one process, not of its children: record it alone.");
	if (request->scopes[0]->process_tree->pid != request->pid)
		return error__set(error, ERR_BAD_REQUEST, "The tree is that of process %u, and pid names %u: both must name the same.",
				  request->scopes[0]->process_tree->pid, request->pid);
	return check_group(request, "A process with its children", "the process alone", error) || permission__children(error) ? -1 : 0;
}

/* Without scopes, the client is one from before there were any, and names the process by pid alone. */
static int check_scopes(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	const Kview__Wire__Scope *scope = request->n_scopes ? request->scopes[0] : NULL;

	if (!scope)
		return 0;
	if (request->n_scopes > 1 || scope->kind_case == KVIEW__WIRE__SCOPE__KIND__NOT_SET)
		return error__set(error, ERR_UNSUPPORTED,
				  "This agent measures one process, alone or with its children, or one cgroup in a recording: choose a single one.");
	if (scope->kind_case == KVIEW__WIRE__SCOPE__KIND_CGROUP)
		return check_group(request, "A whole cgroup", "a process of it", error) || permission__cgroups(error) ? -1 : 0;
	if (is_tree(scope))
		return check_tree(request, error);
	if (scope->process->pid != request->pid)
		return error__set(error, ERR_BAD_REQUEST,
				  "The scope is process %u, and pid names %u: both must name the same.",
				  scope->process->pid, request->pid);
	return 0;
}

/* Whether it began later than the one that was chosen, which has ended then. */
static bool is_another(const struct ps_process *process,
		       const Kview__Wire__StartRecordingRequest *request)
{
	const Kview__Wire__Scope *scope = request->n_scopes ? request->scopes[0] : NULL;
	uint64_t chosen_ns = !scope ? 0 : is_tree(scope) ? scope->process_tree->start_time_ns :
		scope->kind_case == KVIEW__WIRE__SCOPE__KIND_PROCESS ? scope->process->start_time_ns : 0;

	return chosen_ns && process->start_time_ns > chosen_ns &&
	       process->start_time_ns - chosen_ns > START_TIME_ERROR_NS;
}

int request__check_process(const Kview__Wire__StartRecordingRequest *request,
			   struct error *error)
{
	pid_t pid = request->pid;
	struct ps_process process;
	int result = 0, fd;

	if (ps_process__read(&process, pid))
		result = error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", pid);
	else if (process.kernel_thread)
		result = error__set(error, ERR_NOT_PROBEABLE,
				    "Process %d (%.100s) is a kernel thread: it has no functions of its own.",
				    pid, process.name);
	else if (is_another(&process, request))
		result = error__set(error, ERR_NO_SUCH_PROCESS,
				    "The process that was chosen has ended, and its number %d is now that of %.100s: choose again.",
				    pid, process.name);
	ps_process__free(&process);
	fd = syscall(SYS_pidfd_open, pid, 0);
	if (fd >= 0)
		close(fd);
	else if (!result && (errno == EINVAL || errno == ENOENT))
		result = error__set(error, ERR_BAD_REQUEST,
				    "%d is a thread: name its process.", pid);
	return result;
}

static int check_probes(const Kview__Wire__StartRecordingRequest *request,
			 struct error *error)
{
	size_t i;

	if (!request->n_probes)
		return error__set(error, ERR_BAD_REQUEST, "No function was chosen: name at least one.");
	if (request->n_probes > RECORDING_MAX_FUNCTIONS)
		return error__set(error, ERR_TOO_MANY,
				  "%zu functions were chosen; one recording takes at most %d.",
				  request->n_probes, RECORDING_MAX_FUNCTIONS);
	if (request->n_measures && request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP)
		return error__set(error, ERR_UNSUPPORTED,
				  "Jumps measure time alone, as the code that they lead to asks the kernel nothing: count what calls take beside it by traps.");
	for (i = 0; i < request->n_probes; i++) {
		if (request->probes[i]->function_id != i)
			return error__set(error, ERR_BAD_REQUEST,
					  "Function ids must be 0, 1, 2, … in order; number %zu is %u.",
					  i, request->probes[i]->function_id);
		if (request->probes[i]->condition && request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP)
			return error__set(error, ERR_UNSUPPORTED,
					  "Jumps count every call, as the code that they lead to reads no arguments: record with conditions by traps, or without them.");
		if (request->probes[i]->split && request->probe_way == KVIEW__WIRE__PROBE_WAY__PROBE_WAY_JUMP)
			return error__set(error, ERR_UNSUPPORTED,
					  "Jumps count calls whatever their values, as the code that they lead to reads none: split figures by traps, or not at all.");
	}
	return 0;
}

int request__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	if (check_scopes(request, error))
		return -1;
	if ((pid_t)request->pid <= 0)
		return error__set(error, ERR_BAD_REQUEST, "No process was named.");
	return check_probes(request, error) || filter__check(request, error) ? -1 : 0;
}
