// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop.h"
#include "base/precedence.h"
#include "base/rights.h"

#define NS_PER_S	1000000000ULL
#define WATCHED		(1U << 28)	/* in loop_source.watched: known to epoll */
/* Nobody waits longer for an answer than this and what lies between two breaths. */
#define BREATH_NS	10000000ULL
/* At a breath: what comes faster than it is served waits for the next. */
#define BREATH_EVENTS	16

struct loop {
	int epoll_fd, between_fd;	/* all sources, and those that are LOOP_IN_BETWEEN */
	bool stopped;
	void (*after_aside)(void *context);
	void *after_context;
};

/* The loop whose handler this thread runs, and when others last had their turn. */
static __thread struct {
	struct loop *loop;
	uint64_t last_ns;
	bool is_on, has_aside;
} breath;

/* A child is nobody's handler: what comes in is its parent's. */
static void breath__forget(void)
{
	breath.loop = NULL;
	breath.is_on = false;
}

__attribute__((constructor)) static void breath__begin(void)
{
	pthread_atfork(NULL, NULL, breath__forget);
}

struct loop *loop__new(void)
{
	struct loop *loop = calloc(1, sizeof(*loop));

	if (!loop)
		return NULL;
	loop->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	loop->between_fd = epoll_create1(EPOLL_CLOEXEC);
	if (loop->epoll_fd >= 0 && loop->between_fd >= 0)
		return loop;
	loop__free(loop);
	return NULL;
}

void loop__free(struct loop *loop)
{
	if (!loop)
		return;
	if (loop->epoll_fd >= 0)
		close(loop->epoll_fd);
	if (loop->between_fd >= 0)
		close(loop->between_fd);
	free(loop);
}

int loop__watch(struct loop *loop, struct loop_source *source, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.ptr = source };
	int op = source->watched & WATCHED ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
	uint32_t in_between = source->watched & LOOP_IN_BETWEEN;

	if (source->watched == (events | WATCHED | in_between))
		return 0;
	/* EPOLLHUP can't be masked: where no events are wanted, the descriptor is not watched. */
	if (!events) {
		loop__remove(loop, source);
		return 0;
	}
	if (epoll_ctl(loop->epoll_fd, op, source->fd, &event) ||
	    (in_between && epoll_ctl(loop->between_fd, op, source->fd, &event)))
		return -errno;
	source->watched = events | WATCHED | in_between;
	return 0;
}

void loop__remove(struct loop *loop, struct loop_source *source)
{
	if (!(source->watched & WATCHED))
		return;
	epoll_ctl(loop->epoll_fd, EPOLL_CTL_DEL, source->fd, NULL);
	if (source->watched & LOOP_IN_BETWEEN)
		epoll_ctl(loop->between_fd, EPOLL_CTL_DEL, source->fd, NULL);
	source->watched &= LOOP_IN_BETWEEN;
}

void loop__close(struct loop *loop, struct loop_source *source)
{
	loop__remove(loop, source);
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
}

/* Returns as epoll_wait does.  One event at a time: its handler may remove any other source. */
static int serve_one(int epoll_fd, int timeout_ms)
{
	struct loop_source *source;
	struct epoll_event event;
	int nr = epoll_wait(epoll_fd, &event, 1, timeout_ms);

	if (nr <= 0)
		return nr;
	source = event.data.ptr;
	source->ready(source->context, event.events);
	return nr;
}

void loop__run(struct loop *loop)
{
	while (!loop->stopped) {
		precedence__before_wait();
		breath.loop = loop;
		if (serve_one(loop->epoll_fd, -1) < 0 && errno != EINTR)
			break;
	}
	breath.loop = NULL;
}

bool loop__is_breathing(void)
{
	return breath.is_on;
}

static void breathe(void)
{
	int error = errno, i;

	breath.is_on = true;
	for (i = 0; i < BREATH_EVENTS && serve_one(breath.loop->between_fd, 0) > 0; i++)
		;
	breath.is_on = false;
	breath.last_ns = clock__now_ns();
	errno = error;
}

static bool may_breathe(void)
{
	return breath.loop && !breath.is_on && !rights__are_lowered();
}

void loop__breathe(void)
{
	if (may_breathe() && clock__now_ns() - breath.last_ns >= BREATH_NS)
		breathe();
}

bool loop__await(int fd, uint64_t ns)
{
	uint64_t end_ns = clock__now_ns() + ns, now_ns;
	struct pollfd awaited[] = { { .fd = fd, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
	struct timespec left;
	int nr;

	while ((now_ns = clock__now_ns()) < end_ns) {
		loop__breathe();
		left = (struct timespec){ .tv_sec = (end_ns - now_ns) / NS_PER_S, .tv_nsec = (end_ns - now_ns) % NS_PER_S };
		awaited[1].fd = may_breathe() ? breath.loop->between_fd : -1;
		nr = ppoll(awaited, 2, &left, NULL);
		if (nr > 0 && awaited[0].revents)
			return true;
		if (nr > 0)
			breathe();
	}
	return fd >= 0 && poll(awaited, 1, 0) == 1;
}

void loop__rest(uint64_t ns)
{
	loop__await(-1, ns);
}

struct aside_work {
	int (*work)(void *context);
	void *context;
	int done_fd, result, error;
};

static void *aside_work__do(void *context)
{
	struct aside_work *w = context;
	uint64_t done = 1;

	/* Tells it from other threads in what lists them. */
	prctl(PR_SET_NAME, "kview-aside");
	w->result = w->work(w->context);
	w->error = errno;
	if (write(w->done_fd, &done, sizeof(done)) < 0)
		log__line("nobody hears that work is done: %s", strerror(errno));
	return NULL;
}

bool loop__has_aside(void)
{
	return breath.has_aside;
}

void loop__after_aside(struct loop *loop, void (*call)(void *context), void *context)
{
	loop->after_aside = call;
	loop->after_context = context;
}

int loop__do_aside(int (*work)(void *context), void *context)
{
	struct aside_work w = { .work = work, .context = context };
	pthread_t thread;

	if (!may_breathe() || rights__are_limited())
		return work(context);
	w.done_fd = eventfd(0, EFD_CLOEXEC);
	if (w.done_fd < 0 || pthread_create(&thread, NULL, aside_work__do, &w)) {
		w.result = work(context);
		w.error = errno;
	} else {
		breath.has_aside = true;
		while (!loop__await(w.done_fd, NS_PER_S))
			;
		pthread_join(thread, NULL);
		breath.has_aside = false;
		if (breath.loop->after_aside)
			breath.loop->after_aside(breath.loop->after_context);
	}
	if (w.done_fd >= 0)
		close(w.done_fd);
	errno = w.error;
	return w.result;
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
