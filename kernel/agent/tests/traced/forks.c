// SPDX-License-Identifier: GPL-2.0
/*
 * Forks at a letter on standard input: c a child, g a child that forks at once, w works itself; t has many threads that rest.
 * Children work at SIGUSR1, and all end with the input.
 */
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "common.h"

static volatile long sink;

PROBED long f_work(long x) { sink += x; END(); return sink; }
PROBED long f_return(long x) { END(); return x; }

static long work(void)
{
	sink = 0;
	for (int i = 1; i <= 100; i++)
		f_work(i);
	return f_return(sink);
}

static void serve(void)
{
	sigset_t set;
	int signal;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (;;) {
		sigwait(&set, &signal);
		printf("worked %d %ld\n", getpid(), work());
	}
}

static void *rest(void *nothing)
{
	for (;;)
		pause();
	return nothing;
}

static void have_threads(void)
{
	pthread_t thread;

	for (int i = 0; i < 200; i++)
		if (pthread_create(&thread, NULL, rest, NULL))
			exit(1);
	puts("resting");
}

int main(void)
{
	sigset_t set;
	char letter;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	puts("ready");
	while (read(0, &letter, 1) == 1) {
		if (letter == 'w') {
			printf("worked %d %ld\n", getpid(), work());
			continue;
		}
		if (letter == 't') {
			have_threads();
			continue;
		}
		if (fork())
			continue;
		if (letter == 'g' && fork())
			serve();
		printf("forked %d\n", getpid());
		serve();
	}
	return 0;
}
