// SPDX-License-Identifier: GPL-2.0
/*
 * Waits, each until the one that is known wakes the waiting thread, and not before it has left its CPU: so there is
 * one wait for each.  Prints who they are, by number.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "sleepers.h"

/* The lock lies within a variable, which has a name. */
static struct {
	int before[10];
	int word;
} cache;
struct {
	int words[6000];
} many;

static volatile int sink;
static int *volatile waited_at;		/* where the main thread waits, or is about to */
static volatile int turn;		/* whose it is to wake it */
static pid_t waiter;

static void *wakes(void *name)
{
	int mine = *(char *)name - '`';

	prctl(PR_SET_NAME, mine == 1 ? "waker-a" : "waker-b");
	printf("waker-%s %ld\n", (char *)name, syscall(SYS_gettid));
	fflush(stdout);
	for (;;) {
		int *at = waited_at;

		if (turn < 0)
			return NULL;
		if (turn != mine || !at || !waits_in(getpid(), waiter, SYS_futex)) {
			usleep(50);
			continue;
		}
		waited_at = NULL;
		__atomic_store_n(at, 1, __ATOMIC_SEQ_CST);
		syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

/* Nothing between these two gives the CPU up, but the wait. */
PROBED int f_wait(int *at)
{
	while (!__atomic_load_n(at, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, at, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	END();
	return *at;
}

PROBED int f_outer(int *at)
{
	int result = f_wait(at) + f_wait(at);

	END();
	return result;
}

PROBED int f_read(int fd)
{
	char byte;
	int result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED int f_receive(int fd)
{
	char byte;
	int result = read(fd, &byte, 1);

	END();
	return result;
}

PROBED int f_sleep(int us)
{
	usleep(us);
	END();
	return us;
}

static void wait_at(int *at, int waker, int (*function)(int *))
{
	*at = 0;
	turn = waker;
	waited_at = at;
	sink += function(at);
}

/* A child that writes to a pipe, or else to a socket, once its parent waits for that. */
static void write_when_awaited(int request, int reply, int answer)
{
	char byte;

	prctl(PR_SET_NAME, "writer");
	while (read(request, &byte, 1) == 1) {
		while (!waits_in(getppid(), getppid(), SYS_read))
			usleep(50);
		if (write(byte ? answer : reply, "", 1) != 1)
			break;
	}
	_exit(0);
}

/* WAITS: so many of each kind; with a second argument so many locks, instead.  Then it stays until it is ended. */
int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 0, locks = argc > 2 ? atoi(argv[2]) : 0, request[2], reply[2], answer[2];
	pthread_t threads[2];
	int *shared;
	pid_t writer;

	if (nr < 0 || locks > (int)(sizeof(many.words) / sizeof(many.words[0])) || pipe(request) || pipe(reply) ||
	    socketpair(AF_UNIX, SOCK_DGRAM, 0, answer))
		return 1;
	waiter = getpid();
	writer = fork();
	if (!writer) {
		close(request[1]);
		write_when_awaited(request[0], reply[1], answer[1]);
	}
	printf("writer %d\n", writer);
	fflush(stdout);
	pthread_create(&threads[0], NULL, wakes, "a");
	pthread_create(&threads[1], NULL, wakes, "b");
	for (int i = 0; i < locks; i++)
		wait_at(&many.words[i], 1, f_wait);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return 1;
	if (nr)
		wait_at(shared, 1, f_wait);
	for (int i = 0; i < nr; i++) {
		wait_at(&cache.word, 1 + (i % 3 == 0), f_wait);
		wait_at(&cache.word, 1, f_outer);
		/* Long enough for a busy host not to wake it before it sleeps. */
		f_sleep(20000);
		if (write(request[1], "", 1) != 1)
			return 1;
		f_read(reply[0]);
		if (write(request[1], "s", 1) != 1)
			return 1;
		f_receive(answer[0]);
	}
	turn = -1;
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	close(request[1]);
	printf("done 0\n");
	fflush(stdout);
	pause();
	return 0;
}
