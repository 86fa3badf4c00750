// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "base/error.h"
#include "client/programs.h"
#include "permission/permission.h"

struct launch *program__launch(const Kview__Wire__LaunchRequest *request, struct error *error)
{
	struct launch_opts opts = {
		.arguments = request->arguments, .nr_arguments = request->n_arguments,
		.environment = request->environment, .nr_environment = request->n_environment,
		.working_directory = request->working_directory,
	};
	struct launch *launch;

	if (permission__programs(error))
		return NULL;
	launch = calloc(1, sizeof(*launch));
	if (!launch) {
		error__set(error, ERR_FAILED, "Out of memory.");
		return NULL;
	}
	if (launch__start(launch, &opts, error)) {
		free(launch);
		return NULL;
	}
	return launch;
}

int program__resume(struct launch *launch, const Kview__Wire__ResumeRequest *request,
		    struct error *error)
{
	if (permission__programs(error))
		return -1;
	if (!launch || launch->resumed)
		return error__set(error, launch ? ERR_BAD_REQUEST : ERR_NO_SUCH_PROCESS,
				  "Process %u was not launched by this agent, or is running already.", request->pid);
	return launch__resume(launch, error);
}

int program__end(struct launch *launch, const Kview__Wire__EndProgramRequest *request,
		 struct error *error)
{
	if (permission__programs(error))
		return -1;
	if (!launch)
		return error__set(error, ERR_NO_SUCH_PROCESS,
				  "Process %u was not launched by this agent, or has ended.", request->pid);
	return launch__end(launch, request->force, error);
}
