/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Starts a program and stops it before the first instruction of its own code.  By then its dynamic
 * linker has mapped its libraries and run their constructors.
 *
 * Until it is resumed the program is traced by the agent, and is killed if the agent ends for any
 * reason.  From then on it is independent, except for the pipes of its output: if it writes after
 * the agent has ended, it gets SIGPIPE, as with any reader that has ended.
 */
#ifndef KVIEW_LAUNCH_H
#define KVIEW_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct launch_opts {
	char **arguments;		/* [0] is looked up in PATH when it has no slash */
	size_t nr_arguments;
	char **environment;		/* NAME=VALUE, added to the agent's own */
	size_t nr_environment;
	const char *working_directory;	/* NULL or "": the agent's */
};

struct launch {
	pid_t pid;
	char *executable;		/* what really runs: for a script, its interpreter */
	int stdout_fd, stderr_fd;	/* non-blocking; -1 once closed by their user */
	bool resumed;
};

/* Returns 0, or -1 with error filled and nothing left running.  Blocks for at most 10 s. */
int launch__start(struct launch *launch, const struct launch_opts *opts, struct error *error);
int launch__resume(struct launch *launch, struct error *error);
/*
 * Ends the program by SIGTERM, or by force.  One that was not resumed is always killed.  For one
 * that has ended already, this is an error.
 */
int launch__end(struct launch *launch, bool force, struct error *error);

/* Kills the program if it was never resumed, and closes what is open. */
void launch__free(struct launch *launch);

#endif
