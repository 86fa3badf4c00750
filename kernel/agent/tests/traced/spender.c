// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that call one function without end and another one now and then, and tell how often,
 * and how long the other one took.  They end at SIGUSR1.  With ask it is a system call, getppid, that
 * they make without end.
 *
 * usage: spender THREADS HOT-CALLS-BETWEEN NS-OF-THE-OTHER-ONE [pause|ask]
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common.h"

struct work {
	pthread_t thread;
	uint64_t hot, kept, kept_ns;
};

static uint64_t kept_ns;
static volatile sig_atomic_t is_over;
static long hot_calls;
static int pauses, asks;
static volatile long sink;

PROBED long f_hot(long x) { sink += x; END(); return sink; }
PROBED void f_kept(struct work *work)
{
	uint64_t begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

	spin(kept_ns);
	work->kept_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	END();
}

static void *run(void *context)
{
	const struct timespec pause = { 0, 10000000 };
	struct work *work = context;

	while (!is_over) {
		for (long i = 0; i < hot_calls; i++)
			if (asks)
				syscall(SYS_getppid);
			else
				f_hot(i);
		work->hot += hot_calls;
		f_kept(work);
		work->kept++;
		if (pauses)
			nanosleep(&pause, NULL);
	}
	return NULL;
}

static void end(int signal)
{
	(void)signal;
	is_over = 1;
}

int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 1;
	struct work *works = calloc(nr, sizeof(*works)), sum = { 0 };

	signal(SIGUSR1, end);
	hot_calls = argc > 2 ? atol(argv[2]) : 1000;
	kept_ns = argc > 3 ? atol(argv[3]) : 200000;
	asks = argc > 4 && !strcmp(argv[4], "ask");
	pauses = argc > 4 && !asks;
#ifdef JUMPS
	/* Where this is used return addresses stay. */
	static jmp_buf back;

	if (setjmp(back))
		return 1;
	if (argc > 5)
		longjmp(back, 1);
#endif
	for (int i = 0; i < nr; i++)
		pthread_create(&works[i].thread, NULL, run, &works[i]);
	for (int i = 0; i < nr; i++) {
		pthread_join(works[i].thread, NULL);
		sum.hot += works[i].hot;
		sum.kept += works[i].kept;
		sum.kept_ns += works[i].kept_ns;
	}
	tell("hot", sum.hot);
	tell("kept", sum.kept);
	tell("kept.cpu", sum.kept_ns);
	return 0;
}
