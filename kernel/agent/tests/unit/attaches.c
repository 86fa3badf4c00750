// SPDX-License-Identifier: GPL-2.0
/*
 * A caller records only what the kernel would let that user attach to, where it allows to look
 * at more (kernel.yama.ptrace_scope, in the guests).  Runs as root, for nobody behind sudo.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "permission/permission.h"

#define NOBODY	65534
#define SCOPE	"/proc/sys/kernel/yama/ptrace_scope"

static int failed;

static void check(bool good, const char *name, const char *figure)
{
	printf("%s %s: %s\n", good ? "ok" : "not ok", name, figure);
	failed |= !good;
}

static void *wait_for_ever(void *unused)
{
	while (pause())
		;
	return NULL;
}

static int be_victim(const char *how)
{
	pthread_t thread;
	char byte = 0;

	if (!strcmp(how, "allows"))
		prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	if (!strcmp(how, "hides"))
		prctl(PR_SET_DUMPABLE, 0);
	if (!strcmp(how, "headless"))
		pthread_create(&thread, NULL, wait_for_ever, NULL);
	if (write(1, &byte, 1) != 1)
		return 1;
	if (!strcmp(how, "headless"))
		pthread_exit(NULL);
	wait_for_ever(NULL);
	return 0;
}

static pid_t victim(const char *how)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		exit(1);
	pid = fork();
	if (!pid) {
		dup2(ready[1], 1);
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
			_exit(1);
		execl("/proc/self/exe", "attaches", how, (char *)NULL);
		_exit(1);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1)
		exit(1);
	close(ready[0]);
	/* Its first thread ends behind that. */
	if (!strcmp(how, "headless"))
		usleep(100000);
	return pid;
}

static void holds(pid_t pid, bool may, const char *name)
{
	struct error error = { 0 };
	bool does = !permission__hold(pid, &error);

	check(does == may, name, does ? "it may be recorded" : error.message);
	check(does || error.code == ERR_NO_PERMISSION, name, "and says so");
	if (does)
		permission__release();
}

static bool set_scope(char scope)
{
	int fd = open(SCOPE, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, &scope, 1) == 1;

	if (fd >= 0)
		close(fd);
	return done;
}

static int be_agent(pid_t plain, pid_t allows, pid_t hides, pid_t headless)
{
	struct error error = { 0 };

	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	if (permission__init(&error) || permission__any(&error)) {
		printf("not ok attaches: %s\n", error.message);
		return 1;
	}
	set_scope('0');
	holds(plain, true, "a process of the caller's");
	holds(headless, true, "one whose first thread has ended");
	holds(hides, false, "one that may not be traced");
	holds(1, false, "one of root's");
	if (set_scope('1')) {
		holds(plain, false, "a process of the caller's, where only descendants may be attached to");
		check(!permission__process(plain, NULL, &error), "it may be looked at", error.message);
		holds(allows, true, "one that lets itself be attached to");
		set_scope('0');
	} else {
		puts("skipped this kernel knows no rule for attaching (Yama)");
	}
	return failed;
}

int main(int argc, char **argv)
{
	pid_t plain, allows, hides, headless, agent;
	int status = 1;

	if (argc > 1)
		return be_victim(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	plain = victim("plain");
	allows = victim("allows");
	hides = victim("hides");
	headless = victim("headless");
	/* Not their parent: that may attach to them. */
	agent = fork();
	if (!agent)
		_exit(be_agent(plain, allows, hides, headless));
	waitpid(agent, &status, 0);
	kill(plain, SIGKILL);
	kill(allows, SIGKILL);
	kill(hides, SIGKILL);
	kill(headless, SIGKILL);
	while (wait(NULL) > 0)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
