// SPDX-License-Identifier: GPL-2.0
/* What an agent does for nobody who has fewer rights than it has. */
#include "permission/caller.h"
#include "permission/permission.h"

int permission__programs(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "This agent has rights that %s does not have, so it neither starts nor ends programs for this user: start the program yourself and give its process id.",
			  permission__caller()->name);
}

int permission__kernel_functions(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Measuring functions of the kernel can make them slower for all processes, and is root's alone: %s can't be allowed it.",
			  permission__caller()->name);
}

int permission__tracepoints(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Measuring a tracepoint makes all processes slower that come to it, and is root's alone: %s can't be allowed it.",
			  permission__caller()->name);
}

int permission__static_probes(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Measuring a static probe changes a counter in the process's memory, and is root's alone: %s can't be allowed it.",
			  permission__caller()->name);
}

int permission__views(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Which kernel views there are, whose, and of which processes, is told to root alone: connect as root instead of %s.",
			  permission__caller()->name);
}

int permission__children(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Recording a process's children makes the forks of all processes slower, and is root's alone: %s can't be allowed it.",
			  permission__caller()->name);
}

int permission__cgroups(struct error *error)
{
	if (!permission__caller()->restricted)
		return 0;
	return error__set(error, ERR_NO_PERMISSION,
			  "Recording a whole cgroup puts probes into all processes that run the same files, and is root's alone: %s can't be allowed it.",
			  permission__caller()->name);
}
