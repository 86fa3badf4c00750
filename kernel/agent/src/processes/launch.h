/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Starts a program and stops it before the first instruction of its own code: its dynamic
 * linker has mapped its libraries by then, and run their constructors.
 *
 * Until it is resumed it is traced, and killed with the agent whatever ends that.  From
 * then on it is on its own, but for the pipes of its output: a program that writes after
 * the agent ended gets SIGPIPE, as after the end of any reader.
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
	char *executable;		/* what was started, after interpreters */
	int stdout_fd, stderr_fd;	/* non-blocking; -1 once closed by their user */
	bool resumed;
};

/* Returns 0, or -1 with error filled and nothing left running.  Blocks for at most 10 s. */
int launch__start(struct launch *launch, const struct launch_opts *opts, struct error *error);
int launch__resume(struct launch *launch, struct error *error);
/* By SIGTERM, or by force.  One that was not resumed ends in any case, one that has ended is none. */
int launch__end(struct launch *launch, bool force, struct error *error);

/* Kills what was never resumed, closes what is open. */
void launch__free(struct launch *launch);

#endif
