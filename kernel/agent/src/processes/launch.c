// SPDX-License-Identifier: GPL-2.0
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "arch.h"
#include "base/error.h"
#include "base/loop.h"
#include "processes/launch.h"

#define START_TIMEOUT_NS	10000000000ULL
#define LAST_SIGNAL		64

/* Where the child failed.  Sent through a pipe, which a successful exec closes. */
struct start_failure {
	int step;		/* 1 chdir, 2 exec, 3 anything else */
	int error;
};

static char **merge_environment(char **added, size_t nr)
{
	size_t nr_own = 0, used = 0, i, j;
	char **merged;

	while (environ[nr_own])
		nr_own++;
	merged = calloc(nr_own + nr + 1, sizeof(*merged));
	if (!merged)
		return NULL;
	for (i = 0; i < nr_own; i++) {
		size_t name = strcspn(environ[i], "=") + 1;

		for (j = 0; j < nr; j++)
			if (!strncmp(environ[i], added[j], name))
				break;
		if (j == nr)
			merged[used++] = environ[i];
	}
	for (j = 0; j < nr; j++)
		merged[used++] = added[j];
	return merged;
}

static void child__fail(int fd, int step)
{
	struct start_failure failure = { step, errno };

	if (write(fd, &failure, sizeof(failure)) != sizeof(failure))
		_exit(126);
	_exit(127);
}

/*
 * Uses the system call directly, because the C library does not allow its own signals, 32 and 33.
 * An ignored SIGHUP stays ignored, as nohup needs it.
 */
static void reset_signals(void)
{
	const struct { uint64_t handler, flags, restorer, mask; } by_default = { 0 };

	for (int signal = SIGHUP + 1; signal <= LAST_SIGNAL; signal++)
		syscall(SYS_rt_sigaction, signal, &by_default, NULL, sizeof(by_default.mask));
}

static void child__exec(const struct launch_opts *opts, char **arguments, char **environment,
			const int outputs[2], int failure_fd)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);

	/* Undoes what the agent changed for itself, and what it inherited. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	reset_signals();
	if (null < 0 || dup2(null, 0) < 0 || dup2(outputs[0], 1) < 0 || dup2(outputs[1], 2) < 0 ||
	    setpgid(0, 0))
		child__fail(failure_fd, 3);
	if (opts->working_directory && opts->working_directory[0] &&
	    chdir(opts->working_directory))
		child__fail(failure_fd, 1);
	/* Stops until the agent has made sure that this process is killed with it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || ptrace(PTRACE_TRACEME, 0, NULL, NULL) ||
	    raise(SIGSTOP) || prctl(PR_SET_PDEATHSIG, 0))
		child__fail(failure_fd, 3);
	execvpe(arguments[0], arguments, environment);
	child__fail(failure_fd, 2);
}

static int describe_failure(const struct launch_opts *opts, const struct start_failure *failure,
			    struct error *error)
{
	const char *name = opts->arguments[0];

	if (failure->step == 1)
		return error__set(error, ERR_FAILED, "The working directory %.200s can't be entered: %s.",
				  opts->working_directory, strerror(failure->error));
	if (failure->step == 3)
		return error__set(error, ERR_FAILED, "%.200s can't be started under control: %s.",
				  name, strerror(failure->error));
	switch (failure->error) {
	case ENOENT:
		return error__set(error, ERR_NO_SUCH_BINARY,
				  strchr(name, '/') ? "%.200s can't be started: it, or the interpreter it names, does not exist." :
				  "%.200s can't be started: no folder of PATH has such a program; give its path.", name);
	case EACCES:
		return error__set(error, ERR_NO_PERMISSION,
				  "%.200s can't be started: it is not an executable file, or may not be executed by user %u.",
				  name, geteuid());
	case ENOEXEC:
		return error__set(error, ERR_FAILED,
				  "%.200s can't be started: it is neither a program for this machine nor a script that names its interpreter.",
				  name);
	default:
		return error__set(error, ERR_FAILED, "%.200s can't be started: %s.", name,
				  strerror(failure->error));
	}
}

/* Waits for a stop or the end of the child.  0, or -1 if the time is over. */
static int wait_for(pid_t pid, int *status, uint64_t deadline_ns)
{
	const struct timespec pause = { 0, 200000 };

	for (;;) {
		pid_t got = waitpid(pid, status, WNOHANG | __WALL);

		if (got == pid)
			return 0;
		if ((got < 0 && errno != EINTR) || clock__now_ns() > deadline_ns)
			return -1;
		nanosleep(&pause, NULL);
	}
}

static int read_entry_address(pid_t pid, uint64_t *entry)
{
	Elf64_auxv_t vector;
	char path[64];
	int fd, found = -1;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	while (read(fd, &vector, sizeof(vector)) == sizeof(vector)) {
		if (vector.a_type != AT_ENTRY)
			continue;
		*entry = vector.a_un.a_val;
		found = 0;
		break;
	}
	close(fd);
	return found;
}

static int ended_early(const struct launch_opts *opts, int status, struct error *error)
{
	if (WIFSIGNALED(status))
		return error__set(error, ERR_PROCESS_ENDED,
				  "%.200s was killed by signal %d before its own code began: start it by hand to see why.",
				  opts->arguments[0], WTERMSIG(status));
	return error__set(error, ERR_PROCESS_ENDED,
			  "%.200s ended with status %d before its own code began: start it by hand to see why, often a library is missing.",
			  opts->arguments[0], WEXITSTATUS(status));
}

/* Lets the stopped child run to its entry point.  -1 with error; then the child may be gone. */
static int run_to_entry(pid_t pid, const struct launch_opts *opts, uint64_t deadline_ns,
			bool *gone, struct error *error)
{
	struct user_regs_struct regs;
	struct iovec all = { &regs, sizeof(regs) };
	int status, signal = 0;
	uint64_t entry;
	long word;

	if (read_entry_address(pid, &entry))
		return error__set(error, ERR_FAILED, "The entry point of %.200s can't be read.",
				  opts->arguments[0]);
	errno = 0;
	word = ptrace(PTRACE_PEEKTEXT, pid, entry, NULL);
	if (errno || ptrace(PTRACE_POKETEXT, pid, entry,
			    (word & ~ARCH_BREAKPOINT_MASK) | ARCH_BREAKPOINT))
		return error__set(error, ERR_FAILED, "%.200s can't be stopped at its entry point: %s.",
				  opts->arguments[0], strerror(errno));
	for (;;) {
		if (ptrace(PTRACE_CONT, pid, NULL, signal) ||
		    wait_for(pid, &status, deadline_ns))
			return error__set(error, ERR_FAILED,
					  "%.200s did not reach its own code within 10 s.",
					  opts->arguments[0]);
		if (!WIFSTOPPED(status)) {
			*gone = true;
			return ended_early(opts, status, error);
		}
		signal = WSTOPSIG(status);
		if (signal == SIGTRAP && !(status >> 16) &&
		    !ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &all) &&
		    ARCH_PC(regs) == entry + ARCH_BREAKPOINT_PASSED)
			break;
		if (signal == SIGTRAP)
			signal = 0;
	}
	ARCH_PC(regs) = entry;
	if (ptrace(PTRACE_POKETEXT, pid, entry, word) ||
	    ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &all))
		return error__set(error, ERR_FAILED, "%.200s can't be set back to its entry point: %s.",
				  opts->arguments[0], strerror(errno));
	return 0;
}

/* Follows the child to its entry point; kills it if that fails. */
static int follow(struct launch *launch, const struct launch_opts *opts, int failure_fd,
		  struct error *error)
{
	uint64_t deadline_ns = clock__now_ns() + START_TIMEOUT_NS;
	struct start_failure failure;
	char link[64], target[4096];
	bool gone = false;
	ssize_t length;
	int status;

	if (wait_for(launch->pid, &status, deadline_ns)) {
		error__set(error, ERR_FAILED, "%.200s did not start within 10 s.", opts->arguments[0]);
		goto fail;
	}
	if (WIFSTOPPED(status) &&
	    (ptrace(PTRACE_SETOPTIONS, launch->pid, NULL, PTRACE_O_EXITKILL) ||
	     ptrace(PTRACE_CONT, launch->pid, NULL, NULL))) {
		error__set(error, ERR_FAILED, "%.200s can't be controlled: %s.", opts->arguments[0],
			   strerror(errno));
		goto fail;
	}
	/* The pipe ends at the exec, or says what failed. */
	length = read(failure_fd, &failure, sizeof(failure));
	if (length == sizeof(failure)) {
		describe_failure(opts, &failure, error);
		goto fail;
	}
	if (WIFSTOPPED(status) && wait_for(launch->pid, &status, deadline_ns)) {
		error__set(error, ERR_FAILED, "%.200s did not start within 10 s.", opts->arguments[0]);
		goto fail;
	}
	if (!WIFSTOPPED(status)) {
		gone = true;
		ended_early(opts, status, error);
		goto fail;
	}
	if (run_to_entry(launch->pid, opts, deadline_ns, &gone, error))
		goto fail;
	snprintf(link, sizeof(link), "/proc/%d/exe", launch->pid);
	length = readlink(link, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = 0;
	launch->executable = strdup(target);
	return 0;
fail:
	if (!gone) {
		kill(launch->pid, SIGKILL);
		waitpid(launch->pid, NULL, __WALL);
	}
	launch->pid = 0;
	return -1;
}

static void close_pair(int fds[2])
{
	if (fds[0] >= 0)
		close(fds[0]);
	if (fds[1] >= 0)
		close(fds[1]);
}

int launch__start(struct launch *launch, const struct launch_opts *opts, struct error *error)
{
	int out[2] = { -1, -1 }, err[2] = { -1, -1 }, failure[2] = { -1, -1 };
	char **environment = NULL, **arguments = NULL;
	int result = -1;

	memset(launch, 0, sizeof(*launch));
	launch->stdout_fd = launch->stderr_fd = -1;
	if (!opts->nr_arguments || !opts->arguments[0][0])
		return error__set(error, ERR_BAD_REQUEST, "No program was named.");
	environment = merge_environment(opts->environment, opts->nr_environment);
	arguments = calloc(opts->nr_arguments + 1, sizeof(*arguments));
	if (!environment || !arguments) {
		error__set(error, ERR_FAILED, "Out of memory.");
		goto out;
	}
	memcpy(arguments, opts->arguments, opts->nr_arguments * sizeof(*arguments));
	if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(failure, O_CLOEXEC)) {
		error__set(error, ERR_FAILED, "No pipes could be made for the program's output: %s.", strerror(errno));
		goto out;
	}
	launch->pid = fork();
	if (launch->pid < 0) {
		launch->pid = 0;
		error__set(error, ERR_FAILED, "No process could be created for the program: %s.", strerror(errno));
		goto out;
	}
	if (!launch->pid)
		child__exec(opts, arguments, environment, (int[2]){ out[1], err[1] }, failure[1]);
	close(failure[1]);
	failure[1] = -1;
	if (follow(launch, opts, failure[0], error))
		goto out;
	launch->stdout_fd = out[0];
	launch->stderr_fd = err[0];
	out[0] = err[0] = -1;
	fcntl(launch->stdout_fd, F_SETFL, O_NONBLOCK);
	fcntl(launch->stderr_fd, F_SETFL, O_NONBLOCK);
	result = 0;
out:
	close_pair(out);
	close_pair(err);
	close_pair(failure);
	free(environment);
	free(arguments);
	return result;
}

int launch__resume(struct launch *launch, struct error *error)
{
	if (ptrace(PTRACE_DETACH, launch->pid, NULL, NULL))
		return error__set(error, ERR_PROCESS_ENDED, "Process %d has ended: %s.", launch->pid,
				  strerror(errno));
	launch->resumed = true;
	return 0;
}

int launch__end(struct launch *launch, bool force, struct error *error)
{
	/* pid is 0 once the child was waited for: by now its pid may be another process's. */
	if (launch->pid && kill(launch->pid, force || !launch->resumed ? SIGKILL : SIGTERM))
		return error__set(error, ERR_FAILED, "Process %d can't be ended: %s.", launch->pid,
				  strerror(errno));
	return 0;
}

void launch__free(struct launch *launch)
{
	if (launch->pid && !launch->resumed) {
		kill(launch->pid, SIGKILL);
		waitpid(launch->pid, NULL, __WALL);
	}
	if (launch->stdout_fd >= 0)
		close(launch->stdout_fd);
	if (launch->stderr_fd >= 0)
		close(launch->stderr_fd);
	free(launch->executable);
	memset(launch, 0, sizeof(*launch));
	launch->stdout_fd = launch->stderr_fd = -1;
}
