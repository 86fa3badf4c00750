// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libkview.h>

#include "mechanism/process_view.h"
#include "mechanism/view_patience.h"

#define NO_END		(-1)

/* Ends with its attachment, by which the process leaves the view. */
static void child__enter(const struct process_view *v, int process_fd, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	_exit(getppid() == parent && kview_view__attach_pidfd(v->view, process_fd, KVIEW_ATTACH_EXEC) ? 0 : 1);
}

/* How the child ended, or NO_END; it is gone in any case. */
static int child__await(pid_t child)
{
	int end = syscall(SYS_pidfd_open, child, 0);
	bool ended = end < 0 || view_patience__await(end);
	int status = 0;

	if (!ended)
		kill(child, SIGKILL);
	if (end >= 0)
		close(end);
	waitpid(child, &status, 0);
	return ended ? status : NO_END;
}

/*
 * Whoever lets a process into a view while it is within an execve waits for that, and only a signal that kills ends
 * the wait.  So a child of the agent's own goes first.  What it is refused the agent is told as well, with the reason.
 */
int process_view__try(const struct process_view *v, pid_t pid, int process_fd, struct error *error)
{
	struct process_view tried = { .view = v->view };
	pid_t parent = getpid(), child = fork();
	int status;

	if (!child)
		child__enter(v, process_fd, parent);
	if (child < 0)
		return error__set(error, ERR_FAILED, "The agent could not start a child: %s.", strerror(errno));
	status = child__await(child);
	if (!status)
		return 0;
	if (status == NO_END)
		return error__set(error, ERR_UNSUPPORTED,
				  "Process %d is within an execve that did not end in %d s, so it can't be let into a view: try again when it runs its program.",
				  pid, VIEW_PATIENCE_S);
	if (process_view__enter(&tried, pid, process_fd, error))
		return -1;
	process_view__leave(&tried);
	return 0;
}
