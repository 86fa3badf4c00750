// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "error.h"
#include "permission.h"
#include "probes.h"
#include "processes.h"
#include "recording.h"

struct probes {
	struct fn_list *lists;		/* one a probe */
	struct xprobe_function *functions;
	const char **names;
	size_t nr;
};

static int check_process(pid_t pid, struct fn_error *error)
{
	struct ps_process process;
	int result = 0, fd;

	if (pid <= 0)
		return error__set(error, ERR_BAD_REQUEST, "No process was named.");
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

static int check_request(const Kview__Wire__StartRecordingRequest *request,
			 struct fn_error *error)
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

static int probes__add(struct probes *probes, pid_t pid, const Kview__Wire__Probe *probe,
		       struct fn_error *error)
{
	struct fn_list *list = &probes->lists[probes->nr];
	struct fn_query query = { pid, probe->binary, probe->symbol, 0 };
	const struct fn_function *function = NULL;
	int failed;
	size_t i;

	if (permission__process(pid, probe->binary, error))
		return -1;
	permission__begin_reading(pid);
	failed = fn_list__find(list, &query, error);
	permission__end_reading(pid);
	if (failed)
		return -1;
	for (i = 0; i < list->nr; i++)
		if (list->functions[i].file_offset == probe->file_offset)
			function = &list->functions[i];
	if (!function) {
		error__set(error, ERR_NO_SUCH_FUNCTION,
			   "%.150s of %.150s is not where it was found before: the file has changed, look it up again.",
			   probe->symbol, probe->binary);
		goto fail;
	}
	if (!function->probeable) {
		error__set(error, ERR_NOT_PROBEABLE, "%.150s can't be probed: %.300s",
			   function->name, function->reason ? function->reason : "");
		goto fail;
	}
	for (i = 0; i < probes->nr; i++) {
		const struct xprobe_function *other = &probes->functions[i];

		if (other->function->entry_offset == function->entry_offset &&
		    !strcmp(other->path, list->open_path)) {
			error__set(error, ERR_BAD_REQUEST, "%.200s was chosen twice.",
				   function->name);
			goto fail;
		}
	}
	probes->functions[probes->nr] = (struct xprobe_function){
		probe->function_id, list->open_path, function };
	probes->names[probes->nr] = function->name;
	probes->nr++;
	return 0;
fail:
	fn_list__free(list);
	return -1;
}

struct probes *probes__find(const Kview__Wire__StartRecordingRequest *request,
			    struct fn_error *error)
{
	struct probes *probes;
	size_t i;

	if (check_process(request->pid, error) || check_request(request, error))
		return NULL;
	probes = calloc(1, sizeof(*probes));
	if (!probes)
		goto no_memory;
	probes->lists = calloc(request->n_probes, sizeof(*probes->lists));
	probes->functions = calloc(request->n_probes, sizeof(*probes->functions));
	probes->names = calloc(request->n_probes, sizeof(*probes->names));
	if (!probes->lists || !probes->functions || !probes->names)
		goto no_memory;
	for (i = 0; i < request->n_probes; i++)
		if (probes__add(probes, request->pid, request->probes[i], error))
			goto fail;
	return probes;
no_memory:
	error__set(error, ERR_FAILED, "Out of memory.");
fail:
	probes__free(probes);
	return NULL;
}

void probes__free(struct probes *probes)
{
	size_t i;

	if (!probes)
		return;
	for (i = 0; i < probes->nr; i++)
		fn_list__free(&probes->lists[i]);
	free(probes->lists);
	free(probes->functions);
	free(probes->names);
	free(probes);
}

size_t probes__nr(const struct probes *probes)
{
	return probes->nr;
}

const struct xprobe_function *probes__functions(const struct probes *probes)
{
	return probes->functions;
}

const char *const *probes__names(const struct probes *probes)
{
	return probes->names;
}
