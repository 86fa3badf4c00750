// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processes/traced.h"

#define OUTPUT_BYTES	(32U << 10)

/* From linux/pidfd.h of Linux 6.15, which is not in Debian 12's headers. */
struct pidfd_info {
	uint64_t mask;
	uint64_t cgroupid;
	uint32_t pid, tgid, ppid;
	uint32_t ids[8];
	int32_t exit_code;
};
#define PIDFD_GET_INFO	_IOWR(0xFF, 11, struct pidfd_info)
#define PIDFD_INFO_EXIT	(1UL << 3)

struct traced {
	struct traced_opts opts;
	struct launch *launch;
	struct loop_source process, outputs[2];
	bool paused, ended, known;
	int wait_status;
};

static bool traced__read(struct traced *traced, int stream)
{
	uint8_t data[OUTPUT_BYTES];
	int *fd = stream ? &traced->launch->stderr_fd : &traced->launch->stdout_fd;
	ssize_t got = *fd < 0 ? 0 : read(*fd, data, sizeof(data));

	if (got > 0) {
		traced->opts.output(traced->opts.context, traced, stream, data, got);
		return true;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (*fd >= 0) {
		loop__remove(traced->opts.loop, &traced->outputs[stream]);
		close(*fd);
		*fd = -1;
	}
	return false;
}

static void traced__output_ready(struct traced *traced, int stream)
{
	if (!traced->paused)
		traced__read(traced, stream);
}

static void traced__stdout_ready(void *context, uint32_t events)
{
	traced__output_ready(context, 0);
}

static void traced__stderr_ready(void *context, uint32_t events)
{
	traced__output_ready(context, 1);
}

static void traced__watch(struct traced *traced)
{
	uint32_t events = traced->paused ? 0 : EPOLLIN;
	int i;

	for (i = 0; i < 2; i++)
		if (traced->launch && (i ? traced->launch->stderr_fd : traced->launch->stdout_fd) >= 0)
			loop__watch(traced->opts.loop, &traced->outputs[i], events);
	/* The end is told after the output, so both wait. */
	loop__watch(traced->opts.loop, &traced->process, events);
}

/* How a process that is not a child of the agent ended: newer kernels keep that. */
static bool exit_of_other(int pidfd, int *wait_status)
{
	struct pidfd_info info = { .mask = PIDFD_INFO_EXIT };

	if (ioctl(pidfd, PIDFD_GET_INFO, &info) || !(info.mask & PIDFD_INFO_EXIT))
		return false;
	*wait_status = info.exit_code;
	return true;
}

static void traced__process_ready(void *context, uint32_t events)
{
	struct traced *traced = context;
	bool more = true;

	if (traced->paused)
		return;
	if (!traced->ended) {
		if (traced->launch) {
			/* A stop of a process that was not resumed is not its end. */
			if (waitpid(traced->opts.pid, &traced->wait_status, WNOHANG) != traced->opts.pid)
				return;
			traced->known = true;
			traced->launch->pid = 0;
		} else {
			traced->known = exit_of_other(traced->process.fd, &traced->wait_status);
		}
		traced->ended = true;
	}
	/*
	 * Its output is in the pipes by now.  They may never end: a child of it may hold them open.
	 */
	while (traced->launch && more && !traced->paused) {
		more = traced__read(traced, 0);
		if (!traced->paused)
			more |= traced__read(traced, 1);
	}
	if (traced->paused)
		return;
	loop__remove(traced->opts.loop, &traced->process);
	traced->opts.exited(traced->opts.context, traced, traced->known, traced->wait_status);
}

void traced__look(struct traced *traced)
{
	struct pollfd process = { .fd = traced->process.fd, .events = POLLIN };

	if (poll(&process, 1, 0) == 1)
		traced__process_ready(traced, process.revents);
}

struct traced *traced__new(const struct traced_opts *opts)
{
	struct traced *traced = calloc(1, sizeof(*traced));
	int fd;

	if (!traced)
		return NULL;
	fd = syscall(SYS_pidfd_open, opts->pid, 0);
	if (fd < 0) {
		free(traced);
		return NULL;
	}
	traced->opts = *opts;
	traced->launch = opts->launch;
	traced->process = (struct loop_source){ fd, traced__process_ready, traced, 0 };
	if (opts->launch) {
		traced->outputs[0] = (struct loop_source){ opts->launch->stdout_fd,
							   traced__stdout_ready, traced, 0 };
		traced->outputs[1] = (struct loop_source){ opts->launch->stderr_fd,
							   traced__stderr_ready, traced, 0 };
	}
	traced__watch(traced);
	return traced;
}

void traced__free(struct traced *traced)
{
	int i;

	if (!traced)
		return;
	loop__remove(traced->opts.loop, &traced->process);
	for (i = 0; i < 2; i++)
		loop__remove(traced->opts.loop, &traced->outputs[i]);
	close(traced->process.fd);
	if (traced->launch)
		launch__free(traced->launch);
	free(traced->launch);
	free(traced);
}

pid_t traced__pid(const struct traced *traced)
{
	return traced->opts.pid;
}

struct launch *traced__launch(struct traced *traced)
{
	return traced->launch;
}

void traced__pause_output(struct traced *traced, bool pause)
{
	if (traced->paused == pause)
		return;
	traced->paused = pause;
	traced__watch(traced);
}
