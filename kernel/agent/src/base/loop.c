// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/loop.h"
#include "base/precedence.h"

#define NS_PER_S	1000000000ULL
#define WATCHED		(1U << 28)	/* in loop_source.watched: known to epoll */

struct loop {
	int epoll_fd;
	bool stopped;
};

struct loop *loop__new(void)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return NULL;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd < 0) {
		free(loop);
		return NULL;
	}
	return loop;
}

void loop__free(struct loop *loop)
{
	if (!loop)
		return;
	close(loop->epoll_fd);
	free(loop);
}

int loop__watch(struct loop *loop, struct loop_source *source, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = source };
	int op = source->watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;

	if (source->watched == (events | WATCHED))
		return 0;
	/* EPOLLHUP can't be masked: where no events are wanted, the descriptor is not watched. */
	if (!events) {
		loop__remove(loop, source);
		return 0;
	}
	if (epoll_ctl(loop->epoll_fd, op, source->fd, &event))
		return -errno;
	source->watched = events | WATCHED;
	return 0;
}

void loop__remove(struct loop *loop, struct loop_source *source)
{
	if (!source->watched)
		return;
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
	source->watched = 0;
}

void loop__close(struct loop *loop, struct loop_source *source)
{
	loop__remove(loop, source);
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
}

void loop__run(struct loop *loop)
{
	struct loop_source *source;
	struct epoll_event event;
	int nr;

	while (!loop->stopped) {
		precedence__before_wait();
		/* One event at a time: its handler may remove any other source. */
		nr = epoll_wait(loop->epoll_fd, &event, 1, -1);
		if (nr < 0 && errno != EINTR)
			return;
		if (nr <= 0)
			continue;
		source = event.data.ptr;
		source->ready(source->context, event.events);
	}
}

void loop__stop(struct loop *loop)
{
	loop->stopped = true;
}

static int timer__new(uint64_t first_ns, uint64_t period_ns)
{
	struct itimerspec period = {
		.it_interval = { period_ns / NS_PER_S, period_ns % NS_PER_S },
		.it_value = { first_ns / NS_PER_S, first_ns % NS_PER_S },
	};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (timerfd_settime(fd, 0, &period, NULL)) {
		close(fd);
		return -EINVAL;
	}
	return fd;
}

int loop__tick(struct loop *loop, struct loop_source *source, uint64_t first_ns, uint64_t period_ns,
	       void (*ready)(void *context, uint32_t epoll_events), void *context)
{
	*source = (struct loop_source){ timer__new(first_ns, period_ns), ready, context, 0 };
	return source->fd < 0 ? source->fd : loop__watch(loop, source, EPOLLIN);
}

void timer__expired(int fd)
{
	uint64_t expirations;

	/* How many there were does not matter: one run catches up. */
	if (read(fd, &expirations, sizeof(expirations)) < 0)
		return;
}

int signals__new(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* A file that may grow no more is told by an error. */
	signal(SIGXFSZ, SIG_IGN);
	/* The client gets a terminal's Ctrl-C, too, and ends the recording properly. */
	signal(SIGINT, SIG_IGN);
	/* A stopped agent could neither watch the budget nor detach probes. */
	signal(SIGTSTP, SIG_IGN);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	/* If the parent process ignored it, the agent would not hear of its children's ends. */
	signal(SIGCHLD, SIG_DFL);
	return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals__read(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

static struct { int64_t monotonic_ns, boot_ns; } namespace;

/* Before there are threads.  The offsets of a time namespace can't change once a process is in it. */
__attribute__((constructor)) static void namespace__read(void)
{
	char own[64] = "", children[64] = "", line[128], clock[16];
	FILE *file = fopen("/proc/self/timens_offsets", "re");
	long long s, ns;

	/* The file tells of the namespace that children get. */
	if (readlink("/proc/self/ns/time", own, sizeof(own) - 1) < 0 ||
	    readlink("/proc/self/ns/time_for_children", children, sizeof(children) - 1) < 0 || strcmp(own, children))
		goto out;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%15s %lld %lld", clock, &s, &ns) != 3)
			continue;
		if (!strcmp(clock, "monotonic"))
			namespace.monotonic_ns = s * (int64_t)NS_PER_S + ns;
		else if (!strcmp(clock, "boottime"))
			namespace.boot_ns = s * (int64_t)NS_PER_S + ns;
	}
out:
	if (file)
		fclose(file);
}

static uint64_t clock__read_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

uint64_t clock__now_ns(void)
{
	return clock__read_ns(CLOCK_MONOTONIC) - namespace.monotonic_ns;
}

uint64_t clock__boot_ns(void)
{
	return clock__read_ns(CLOCK_BOOTTIME) - namespace.boot_ns;
}

uint64_t clock__cpu_ns(void)
{
	return clock__read_ns(CLOCK_THREAD_CPUTIME_ID);
}

int64_t clock__realtime_offset_ns(void)
{
	uint64_t before, real, after, best_gap = UINT64_MAX;
	int64_t offset = 0;
	int i;

	for (i = 0; i < 5; i++) {
		before = clock__now_ns();
		real = clock__read_ns(CLOCK_REALTIME);
		after = clock__now_ns();
		if (after - before >= best_gap)
			continue;
		best_gap = after - before;
		offset = (int64_t)(real - before - best_gap / 2);
	}
	return offset;
}
