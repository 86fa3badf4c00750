// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "mechanism/trap/filtered_child.h"

#define MOST_SECONDS	10

/* As a signal that can be caught: what ends a process is logged, and a refused one goes astray. */
static int deny(const unsigned int denied[2])
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, denied[0], 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, denied[1], 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) ? -errno : 0;
}

static void end(int signal)
{
	_exit(1);
}

static void run(const struct filtered_child *child)
{
	/* Whatever it dies by; the last one is for an agent that is filtered itself. */
	static const int ways[] = { SIGSYS, SIGALRM, SIGILL, SIGTRAP, SIGBUS, SIGSEGV };
	sigset_t none;
	int error;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		signal(ways[i], end);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	alarm(MOST_SECONDS);
	if (child->prepare())
		_exit(1);
	error = deny(child->denied);
	/* What a kernel without filters says. */
	if (error == -EINVAL)
		_exit(0);
	if (error)
		_exit(1);
	child->call();
	_exit(0);
}

bool filtered_child__goes_on(const struct filtered_child *child)
{
	pid_t parent = getpid(), pid = fork();
	int status;

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		run(child);
	}
	if (pid < 0)
		return false;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}
