// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bystander/bystander.h"
#include "bystander/operations.h"

/* An answer takes half a second, and longer where the CPU is busy or emulated. */
#define PATIENCE_S	10
/* Between rounds before and after: so they are not all of one moment, and come after a rest as those between. */
#define APART_NS	20000000
#define ONLY_FD		3
/* A thread of real time that keeps its CPU keeps it from ending, and must not keep the agent. */
#define END_MS		2000

/* What it is told, each by a byte. */
enum wish {
	WISH_BEFORE = 'b',	/* answered by the same byte */
	WISH_DURING = 'd',	/* not answered */
	WISH_END = 'e',		/* ends the rounds of WISH_DURING; answered by the same byte */
	WISH_AFTER = 'a',	/* answered by all rounds */
};

static struct rounds own;

/* In the bystander */

static void all__rounds(enum rounds_phase phase)
{
	const struct timespec pause = { 0, APART_NS };
	int i;

	for (i = 0; i < ROUNDS_APART; i++) {
		rounds__add(&own, phase);
		nanosleep(&pause, NULL);
	}
}

/* Until the agent says something, or is no more; one round at least, however short the recording is. */
static void rounds__go_on(int fd)
{
	struct pollfd told = { fd, POLLIN, 0 };
	uint64_t pause_ms;

	do
		pause_ms = rounds__pause_ms(&own, rounds__add(&own, ROUNDS_DURING));
	while (!poll(&told, 1, pause_ms));
}

static int all__send(int fd, const void *data, size_t size)
{
	const char *at = data, *end = at + size;
	ssize_t sent;

	for (; at < end; at += sent) {
		sent = write(fd, at, end - at);
		if (sent <= 0)
			return -1;
	}
	return 0;
}

static void bystander__run(int fd)
{
	char wish;

	operations__prepare();
	rounds__begin(&own);
	while (read(fd, &wish, 1) == 1) {
		if (wish == WISH_BEFORE)
			all__rounds(ROUNDS_BEFORE);
		else if (wish == WISH_DURING)
			rounds__go_on(fd);
		else if (wish == WISH_AFTER)
			all__rounds(ROUNDS_AFTER);
		if (wish == WISH_AFTER ? all__send(fd, &own, sizeof(own)) :
		    wish != WISH_DURING && all__send(fd, &wish, 1))
			break;
	}
}

/*
 * The agent's descriptors keep probes attached, and connections and pipes open.  It is killed with the agent; until then
 * it must hold none of them.
 */
static void bystander__leave(int fd, int cpu)
{
	cpu_set_t one;
	int null, i;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one) || dup2(fd, ONLY_FD) < 0 ||
	    syscall(SYS_close_range, ONLY_FD + 1, ~0u, 0))
		_exit(1);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (i = 0; i < ONLY_FD; i++)
		if (null < 0 || dup2(null, i) < 0)
			close(i);
	if (null > ONLY_FD)
		close(null);
	prctl(PR_SET_NAME, "kview-bystander");
}

/* In the agent */

static void bystander__fails(struct bystander *b, const char *what)
{
	if (!*b->failure)
		snprintf(b->failure, sizeof(b->failure), "What the recording cost others was not measured: %s.", what);
	bystander__end(b);
}

void bystander__start(struct bystander *b, const struct rounds *rounds, int cpu)
{
	const struct timeval patience = { PATIENCE_S, 0 };
	pid_t parent = getpid();
	int fds[2];

	*b = (struct bystander){ .pidfd = -1, .fd = -1 };
	if (cpu < 0)
		return bystander__fails(b, "the CPUs that the agent may use are not known");
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return bystander__fails(b, strerror(errno));
	own = *rounds;
	b->pid = fork();
	if (!b->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		bystander__leave(fds[1], cpu);
		bystander__run(ONLY_FD);
		_exit(0);
	}
	close(fds[1]);
	b->fd = fds[0];
	if (b->pid < 0) {
		b->pid = 0;
		return bystander__fails(b, strerror(errno));
	}
	setsockopt(b->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	/* It was not waited for, so the number is still its own.  Without this it ends as its socket is closed. */
	b->pidfd = syscall(SYS_pidfd_open, b->pid, 0);
	if (b->pidfd < 0)
		bystander__fails(b, strerror(errno));
}

/* Waits for an answer where it has a size. */
static void bystander__tell(struct bystander *b, char wish, void *answer, size_t size)
{
	if (!b->pid)
		return;
	if (send(b->fd, &wish, 1, MSG_NOSIGNAL) != 1 ||
	    (size && recv(b->fd, answer, size, MSG_WAITALL) != (ssize_t)size))
		bystander__fails(b, "the process for it ended, or had no CPU for too long");
}

void bystander__before(struct bystander *b)
{
	char done;

	bystander__tell(b, WISH_BEFORE, &done, 1);
}

void bystander__during(struct bystander *b)
{
	bystander__tell(b, WISH_DURING, NULL, 0);
}

void bystander__end_of_recording(struct bystander *b)
{
	char done;

	bystander__tell(b, WISH_END, &done, 1);
}

void bystander__after(struct bystander *b, struct rounds *rounds)
{
	bystander__tell(b, WISH_AFTER, rounds, sizeof(*rounds));
}

void bystander__end(struct bystander *b)
{
	struct pollfd ends = { b->pidfd, POLLIN, 0 };

	if (b->pidfd >= 0) {
		syscall(SYS_pidfd_send_signal, b->pidfd, SIGKILL, NULL, 0);
		poll(&ends, 1, END_MS);
		waitpid(b->pid, NULL, WNOHANG);
		close(b->pidfd);
	}
	if (b->fd >= 0)
		close(b->fd);
	b->pid = 0;
	b->pidfd = b->fd = -1;
}
