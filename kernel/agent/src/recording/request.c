// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "processes/processes.h"
#include "recording/filter.h"
#include "recording/recording.h"
#include "recording/request.h"

int request__check_process(pid_t pid, struct error *error)
{
	struct ps_process process;
	int result = 0, fd;

	if (ps_process__read(&process, pid))
		result = error__set(error, ERR_NO_SUCH_PROCESS, "There is no process %d.", pid);
	else if (process.kernel_thread)
		result = error__set(error, ERR_NOT_PROBEABLE,
				    "Process %d (%.100s) is a kernel thread: it has no functions of its own.",
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
	for (i = 0; i < request->n_probes; i++)
		if (request->probes[i]->function_id != i)
			return error__set(error, ERR_BAD_REQUEST,
					  "Function ids must be 0, 1, 2, … in order; number %zu is %u.",
					  i, request->probes[i]->function_id);
	return 0;
}

int request__check(const Kview__Wire__StartRecordingRequest *request, struct error *error)
{
	if ((pid_t)request->pid <= 0)
		return error__set(error, ERR_BAD_REQUEST, "No process was named.");
	return filter__check(request->filter, error) || check_probes(request, error) ? -1 : 0;
}
