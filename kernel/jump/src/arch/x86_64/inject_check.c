// SPDX-License-Identifier: GPL-2.0
#include "place/inject.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/x86_64/dispatch.h"

static void stand(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	for (;;)
		raise(SIGSTOP);
}

int injector__check_kernel(struct error *error)
{
	struct syscall_dispatch dispatch;
	int status, err = 0;
	pid_t child;

	if (syscall(SYS_kcmp, getpid(), getpid(), KCMP_VM, 0, 0))
		return error__set(error, ERR_UNSUPPORTED, "The kernel does not compare processes (kcmp): %s.", strerror(errno));
	child = fork();
	if (!child)
		stand();
	if (child < 0)
		return error__set(error, ERR_FAILED, "No child can be made: %s.", strerror(errno));
	if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) || syscall_dispatch__read(&dispatch, child))
		err = error__set(error, ERR_UNSUPPORTED, "The kernel does not tell whether a program takes its own system calls (Linux 6.4 is the first that does).");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return err;
}
