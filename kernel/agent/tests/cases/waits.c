// SPDX-License-Identifier: GPL-2.0
/*
 * Ways to wait, named by the first argument: each has a function of its own, which waits for about 30 ms
 * each time, but for those that end when they are told to, by f_wait().
 *
 * usage: waits sleep|timerfd|eventfd|filelock|sigwait|child|vfork|uring[,…] ROUNDS
 *        waits long-sleep|long-poll|long-futex|held 1	(until SIGUSR1)
 *        waits throttled ROUNDS	(begins at SIGUSR1)
 *
 * Who holds or throttles it does so from outside, and tells it by that signal: how long that takes is nothing to it.
 */
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "truth.h"

#define WAIT_NS 30000000L

static const char *what;
static int event, timer, locked, asked, held;
static volatile sig_atomic_t is_told;

static struct {
	int fd;
	unsigned int *sq_tail, *sq_slots, *cq_head, *cq_tail;
	struct io_uring_sqe *entries;
} ring;

static void open_ring(void)
{
	struct io_uring_params p = { 0 };
	char *sq, *cq;

	ring.fd = syscall(SYS_io_uring_setup, 1, &p);
	if (ring.fd < 0)
		exit(77);
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * sizeof(unsigned int), PROT_READ | PROT_WRITE,
		  MAP_SHARED, ring.fd, IORING_OFF_SQ_RING);
	cq = mmap(NULL, p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe),
		  PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, IORING_OFF_CQ_RING);
	ring.entries = mmap(NULL, p.sq_entries * sizeof(*ring.entries), PROT_READ | PROT_WRITE,
			    MAP_SHARED, ring.fd, IORING_OFF_SQES);
	if (sq == MAP_FAILED || cq == MAP_FAILED || ring.entries == MAP_FAILED)
		abort();
	ring.sq_tail = (void *)(sq + p.sq_off.tail);
	ring.sq_slots = (void *)(sq + p.sq_off.array);
	ring.cq_head = (void *)(cq + p.cq_off.head);
	ring.cq_tail = (void *)(cq + p.cq_off.tail);
}

/* For a request that has nothing to do with a disk. */
static void wait_in_ring(const struct timespec *time)
{
	struct __kernel_timespec after = { time->tv_sec, time->tv_nsec };

	ring.entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_TIMEOUT, .addr = (uint64_t)(uintptr_t)&after, .len = 1,
	};
	ring.sq_slots[0] = 0;
	__atomic_add_fetch(ring.sq_tail, 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring.fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		abort();
	__atomic_store_n(ring.cq_head, *ring.cq_tail, __ATOMIC_RELEASE);
}

static void on_told(int signal)
{
	(void)signal;
	is_told = 1;
}

static void wait_until_told(void)
{
	struct timespec time = { 0, WAIT_NS };

	while (!is_told)
		nanosleep(&time, NULL);
}

static long wait_once(void)
{
	struct timespec time = { 0, WAIT_NS };
	uint64_t value;
	pid_t child;

	if (!strcmp(what, "sleep")) {
		nanosleep(&time, NULL);
	} else if (!strcmp(what, "held")) {
		wait_until_told();
	} else if (!strcmp(what, "throttled")) {
		compute(2 * WAIT_NS);
	} else if (!strcmp(what, "timerfd")) {
		struct itimerspec once = { .it_value = time };

		timerfd_settime(timer, 0, &once, NULL);
		if (read(timer, &value, sizeof(value)) < 0)
			abort();
	} else if (!strcmp(what, "eventfd")) {
		if (read(event, &value, sizeof(value)) < 0)
			abort();
	} else if (!strcmp(what, "filelock")) {
		struct flock whole = { .l_type = F_WRLCK };

		if (fcntl(locked, F_SETLKW, &whole))
			abort();
	} else if (!strcmp(what, "sigwait")) {
		sigset_t set;

		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigtimedwait(&set, NULL, &time);
	} else if (!strcmp(what, "child")) {
		child = fork();
		if (!child) {
			nanosleep(&time, NULL);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	} else if (!strcmp(what, "uring")) {
		wait_in_ring(&time);
	} else if (!strcmp(what, "long-sleep")) {
		time = (struct timespec){ 60, 0 };
		nanosleep(&time, NULL);
	} else if (!strcmp(what, "long-poll")) {
		poll(NULL, 0, 60000);
	} else if (!strcmp(what, "long-futex")) {
		int word = 0;

		time = (struct timespec){ 60, 0 };
		syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0);
	} else if (!strcmp(what, "vfork")) {
		child = vfork();
		if (!child) {
			execl("/bin/sleep", "sleep", "0.03", NULL);
			_exit(1);
		}
		waitpid(child, NULL, 0);
	}
	return event;
}

/* No two of them are the same, which compilers would make one. */
#define WAITS(name) PROBED long name(void) { long r = wait_once(); __asm__ volatile("" : : "i"(__COUNTER__) : "memory"); return r; }
WAITS(f_wait) WAITS(f_sleep) WAITS(f_timerfd) WAITS(f_eventfd) WAITS(f_filelock) WAITS(f_sigwait) WAITS(f_child) WAITS(f_vfork) WAITS(f_uring)

static const struct way {
	const char *name;
	long (*wait)(void);
} ways[] = {
	{ "sleep", f_sleep }, { "timerfd", f_timerfd }, { "eventfd", f_eventfd }, { "filelock", f_filelock },
	{ "sigwait", f_sigwait }, { "child", f_child }, { "vfork", f_vfork }, { "uring", f_uring },
};

/* Another process, that holds the lock of a file for a while each time that it is asked to. */
static void start_holder(void)
{
	struct flock whole = { .l_type = F_WRLCK }, none = { .l_type = F_UNLCK };
	struct timespec time = { 0, WAIT_NS };
	int ask[2], hold[2];
	char byte;

	locked = fileno(tmpfile());
	if (pipe(ask) || pipe(hold))
		abort();
	asked = ask[1];
	held = hold[0];
	if (fork())
		return;
	close(ask[1]);
	while (read(ask[0], &byte, 1) == 1) {
		if (fcntl(locked, F_SETLKW, &whole) || write(hold[1], "", 1) != 1)
			abort();
		nanosleep(&time, NULL);
		fcntl(locked, F_SETLK, &none);
	}
	_exit(0);
}

static void have_it_held(void)
{
	struct flock none = { .l_type = F_UNLCK };
	char byte;

	if (fcntl(locked, F_SETLK, &none) || write(asked, "", 1) != 1 || read(held, &byte, 1) != 1)
		abort();
}

static void *writer(void *unused)
{
	struct timespec time = { 0, WAIT_NS };
	uint64_t one = 1;

	(void)unused;
	for (;;) {
		nanosleep(&time, NULL);
		if (write(event, &one, sizeof(one)) < 0)
			abort();
	}
	return NULL;
}

static void wait_by(const char *name, int rounds)
{
	long (*wait)(void) = f_wait;
	char label[64] = "f_wait.returned";
	pthread_t thread;

	what = name;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, name)) {
			wait = ways[i].wait;
			snprintf(label, sizeof(label), "f_%s.returned", name);
		}
	if (!strcmp(what, "uring"))
		open_ring();
	if (!strcmp(what, "eventfd"))
		pthread_create(&thread, NULL, writer, NULL);
	if (!strcmp(what, "filelock"))
		start_holder();
	for (int i = 0; i < rounds; i++) {
		if (!strcmp(what, "filelock"))
			have_it_held();
		wait();
	}
	printf("waited %d times\n", rounds);
	fflush(stdout);
	tell(label, rounds);
}

int main(int argc, char **argv)
{
	struct sigaction told = { .sa_handler = on_told };
	char *rest;

	sigaction(SIGUSR1, &told, NULL);
	if (!strcmp(argv[1], "throttled"))
		wait_until_told();
	event = eventfd(0, 0);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	for (char *name = strtok_r(argv[1], ",", &rest); name; name = strtok_r(NULL, ",", &rest))
		wait_by(name, atoi(argv[2]));
	return 0;
}
