// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "processes/target.h"

#define OUTPUT_BYTES	(32U << 10)

/* From linux/pidfd.h of 6.15, which Debian 12's headers lack. */
struct pidfd_info {
	uint64_t mask;
	uint64_t cgroupid;
	uint32_t pid, tgid, ppid;
	uint32_t ids[8];
	int32_t exit_code;
};
#define PIDFD_GET_INFO	_IOWR(0xFF, 11, struct pidfd_info)
#define PIDFD_INFO_EXIT	(1UL << 3)

struct target {
	struct target_opts opts;
	struct launch *launch;
	struct loop_source process, outputs[2];
	bool paused, ended, known;
	int wait_status;
};

static bool target__read(struct target *target, int stream)
{
	uint8_t data[OUTPUT_BYTES];
	int *fd = stream ? &target->launch->stderr_fd : &target->launch->stdout_fd;
	ssize_t got = *fd < 0 ? 0 : read(*fd, data, sizeof(data));

	if (got > 0) {
		target->opts.output(target->opts.context, target, stream, data, got);
		return true;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (*fd >= 0) {
		loop__remove(target->opts.loop, &target->outputs[stream]);
		close(*fd);
		*fd = -1;
	}
	return false;
}

static void target__output_ready(struct target *target, int stream)
{
	if (!target->paused)
		target__read(target, stream);
}

static void target__stdout_ready(void *context, uint32_t events)
{
	target__output_ready(context, 0);
}

static void target__stderr_ready(void *context, uint32_t events)
{
	target__output_ready(context, 1);
}

static void target__watch(struct target *target)
{
	uint32_t events = target->paused ? 0 : EPOLLIN;
	int i;

	for (i = 0; i < 2; i++)
		if (target->launch && (i ? target->launch->stderr_fd : target->launch->stdout_fd) >= 0)
			loop__watch(target->opts.loop, &target->outputs[i], events);
	/* Its end is told after its output: both wait. */
	loop__watch(target->opts.loop, &target->process, events);
}

/* How a process ended that is not a child of the agent: newer kernels keep it. */
static bool exit_of_other(int pidfd, int *wait_status)
{
	struct pidfd_info info = { .mask = PIDFD_INFO_EXIT };

	if (ioctl(pidfd, PIDFD_GET_INFO, &info) || !(info.mask & PIDFD_INFO_EXIT))
		return false;
	*wait_status = info.exit_code;
	return true;
}

static void target__process_ready(void *context, uint32_t events)
{
	struct target *target = context;
	bool more = true;

	if (target->paused)
		return;
	if (!target->ended) {
		if (target->launch) {
			/* A stop of a process that was not resumed is no end. */
			if (waitpid(target->opts.pid, &target->wait_status, WNOHANG) != target->opts.pid)
				return;
			target->known = true;
			target->launch->pid = 0;
		} else {
			target->known = exit_of_other(target->process.fd, &target->wait_status);
		}
		target->ended = true;
	}
	/* What it wrote is in the pipes by now; a grandchild may hold them open for ever. */
	while (target->launch && more && !target->paused) {
		more = target__read(target, 0);
		if (!target->paused)
			more |= target__read(target, 1);
	}
	if (target->paused)
		return;
	loop__remove(target->opts.loop, &target->process);
	target->opts.exited(target->opts.context, target, target->known, target->wait_status);
}

void target__look(struct target *target)
{
	struct pollfd process = { .fd = target->process.fd, .events = POLLIN };

	if (poll(&process, 1, 0) == 1)
		target__process_ready(target, process.revents);
}

struct target *target__new(const struct target_opts *opts)
{
	struct target *target = calloc(1, sizeof(*target));
	int fd;

	if (!target)
		return NULL;
	fd = syscall(SYS_pidfd_open, opts->pid, 0);
	if (fd < 0) {
		free(target);
		return NULL;
	}
	target->opts = *opts;
	target->launch = opts->launch;
	target->process = (struct loop_source){ fd, target__process_ready, target, 0 };
	if (opts->launch) {
		target->outputs[0] = (struct loop_source){ opts->launch->stdout_fd,
							   target__stdout_ready, target, 0 };
		target->outputs[1] = (struct loop_source){ opts->launch->stderr_fd,
							   target__stderr_ready, target, 0 };
	}
	target__watch(target);
	return target;
}

void target__free(struct target *target)
{
	int i;

	if (!target)
		return;
	loop__remove(target->opts.loop, &target->process);
	for (i = 0; i < 2; i++)
		loop__remove(target->opts.loop, &target->outputs[i]);
	close(target->process.fd);
	if (target->launch)
		launch__free(target->launch);
	free(target->launch);
	free(target);
}

pid_t target__pid(const struct target *target)
{
	return target->opts.pid;
}

struct launch *target__launch(struct target *target)
{
	return target->launch;
}

void target__pause_output(struct target *target, bool pause)
{
	if (target->paused == pause)
		return;
	target->paused = pause;
	target__watch(target);
}
