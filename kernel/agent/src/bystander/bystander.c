// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/loop.h"
#include "bystander/bystander.h"
#include "bystander/operations.h"

/*
 * The rounds of a phase before or after the recording begin in less, however few they are: the client waits for them.
 * After it the agent waits a little longer, and answers nobody meanwhile.
 */
#define PHASE_MS	900
#define WAIT_AFTER_MS	1000
#define ONLY_FD		3
/* A thread of real time that keeps its CPU keeps it from ending, and must not keep the agent. */
#define END_MS		500

/* What it is told, each by a byte.  Nobody waits while the recording goes on. */
enum wish {
	WISH_BEFORE = 'b',	/* answered by the same byte */
	WISH_DURING = 'd',
	WISH_END = 'e',		/* ends the rounds of WISH_DURING */
	WISH_AFTER = 'a',	/* answered by the same byte */
	/* One round, and the phases behind it; answered by the same byte. */
	WISH_ROUND = '0',
};

/* The memory is the agent's as well: it has the rounds that were done, whatever becomes of this process. */
static struct rounds *own;
static uint64_t took_ns;

/* In the bystander */

static bool is_told(int fd, uint64_t timeout_ms)
{
	struct pollfd told = { fd, POLLIN, 0 };

	return poll(&told, 1, timeout_ms);
}

/* Each comes after a rest as long as those during the recording, so that caches and the clock rate find the same. */
static void phase__run(enum rounds_phase phase)
{
	uint64_t end_ns = clock__now_ns() + PHASE_MS * 1000000ull, pause_ms;
	int i;

	for (i = 0; i < ROUNDS_APART; i++) {
		pause_ms = rounds__pause_ms(own, phase, took_ns);
		if (i && clock__now_ns() + pause_ms * 1000000 > end_ns)
			break;
		poll(NULL, 0, pause_ms);
		took_ns = rounds__add(own, phase);
	}
}

/*
 * Until the agent says something, or is no more.  What it says is sent as something begins to change: so a round that was under way
 * then, or all of them where this process got no CPU, may be of what comes after.
 */
static void rounds__go_on(int fd)
{
	while (!is_told(fd, rounds__pause_ms(own, ROUNDS_DURING, took_ns))) {
		took_ns = rounds__add(own, ROUNDS_DURING);
		if (is_told(fd, 0))
			rounds__drop_last(own, ROUNDS_DURING);
	}
}

static void bystander__run(int fd)
{
	char wish;

	operations__prepare();
	rounds__begin(own);
	while (read(fd, &wish, 1) == 1) {
		if (wish == WISH_DURING)
			rounds__go_on(fd);
		else if (wish == WISH_BEFORE || wish == WISH_AFTER)
			phase__run(wish == WISH_BEFORE ? ROUNDS_BEFORE : ROUNDS_AFTER);
		else if (wish >= WISH_ROUND && wish < WISH_ROUND + ROUNDS_PHASES)
			rounds__add(own, wish - WISH_ROUND);
		if (wish == WISH_DURING || wish == WISH_END)
			continue;
		if (write(fd, &wish, 1) != 1)
			break;
	}
}

/* The agent may be of real time, or go before others: what it measures for must not wait for this process. */
static int bystander__be_ordinary(void)
{
	const struct sched_param none = { 0 };

	if (sched_setscheduler(0, SCHED_OTHER, &none) || (getpriority(PRIO_PROCESS, 0) < 0 && setpriority(PRIO_PROCESS, 0, 0)))
		return -1;
	return 0;
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
	if (bystander__be_ordinary() || sched_setaffinity(0, sizeof(one), &one) || dup2(fd, ONLY_FD) < 0 ||
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
	bool has_some = b->rounds && b->rounds->phases[ROUNDS_AFTER].nr;

	if (!*b->failure)
		snprintf(b->failure, sizeof(b->failure), "What the recording cost others was not measured%s: %s.",
			 has_some ? " to its end" : "", what);
	if (!*b->why)
		snprintf(b->why, sizeof(b->why), "%s", what);
	bystander__end(b);
}

void bystander__start(struct bystander *b, const struct rounds *rounds, int cpu)
{
	pid_t parent = getpid();
	int fds[2];

	*b = (struct bystander){ .pidfd = -1, .fd = -1 };
	if (cpu < 0)
		return bystander__fails(b, "there is no CPU for it, as those that the agent may use are isolated from other work, or not known");
	own = mmap(NULL, sizeof(*own), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (own == MAP_FAILED)
		return bystander__fails(b, strerror(errno));
	b->rounds = own;
	*own = *rounds;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return bystander__fails(b, strerror(errno));
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
	/* It was not waited for, so the number is still its own.  Without this it ends as its socket is closed. */
	b->pidfd = syscall(SYS_pidfd_open, b->pid, 0);
	if (b->pidfd < 0)
		bystander__fails(b, strerror(errno));
}

static void bystander__tell(struct bystander *b, char wish)
{
	if (b->pid && send(b->fd, &wish, 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1)
		bystander__fails(b, "the process for it ended");
}

void bystander__ask_round(struct bystander *b, enum rounds_phase phase)
{
	bystander__tell(b, WISH_ROUND + phase);
}

bool bystander__has_round(struct bystander *b, uint64_t timeout_ms)
{
	char done;

	if (!b->pid)
		return true;
	if (!is_told(b->fd, timeout_ms))
		return false;
	if (recv(b->fd, &done, 1, MSG_DONTWAIT) != 1)
		bystander__fails(b, "the process for it ended");
	return true;
}

/* What it did by now is known. */
static void bystander__hear(struct bystander *b, uint64_t timeout_ms)
{
	char done;

	if (!b->pid)
		return;
	if (!loop__await(b->fd, timeout_ms * 1000000))
		bystander__fails(b, "the process for it had no CPU for too long");
	else if (recv(b->fd, &done, 1, MSG_DONTWAIT) != 1)
		bystander__fails(b, "the process for it ended");
}

void bystander__begin_before(struct bystander *b)
{
	bystander__tell(b, WISH_BEFORE);
}

void bystander__end_before(struct bystander *b)
{
	bystander__hear(b, 0);
}

void bystander__during(struct bystander *b)
{
	bystander__tell(b, WISH_DURING);
}

void bystander__end_of_rounds(struct bystander *b)
{
	bystander__tell(b, WISH_END);
}

void bystander__after(struct bystander *b)
{
	bystander__tell(b, WISH_AFTER);
	bystander__hear(b, WAIT_AFTER_MS);
	bystander__end(b);
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

void bystander__free(struct bystander *b)
{
	bystander__end(b);
	if (b->rounds)
		munmap(b->rounds, sizeof(*b->rounds));
	b->rounds = NULL;
}
