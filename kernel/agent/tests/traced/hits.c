// SPDX-License-Identifier: GPL-2.0
/* Comes to tracepoints, and tells how often: by two threads at once, and by the first one alone. */
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "common.h"

static long calls;
static long waits_ns;
/* The shortest and the longest time between two calls, as their thread's own clock has it. */
static uint64_t shortest_ns = UINT64_MAX, longest_ns;

PROBED long f_asks(void) { long parent = syscall(SYS_getppid); END(); return parent; }

static void *asks(void *context)
{
	for (long i = 0; i < calls; i++)
		f_asks();
	return context;
}

/* What lies between two calls is no shorter than the wait, and no longer than from before the one to behind the other. */
static void renames(void)
{
	struct timespec wait = { 0, waits_ns };
	uint64_t before_ns = 0, begin_ns, end_ns;

	for (int i = 0; i < 20; i++) {
		begin_ns = now_ns(CLOCK_MONOTONIC);
		prctl(PR_SET_NAME, "hits");
		end_ns = now_ns(CLOCK_MONOTONIC);
		if (before_ns && end_ns - before_ns > longest_ns)
			longest_ns = end_ns - before_ns;
		before_ns = begin_ns;
		begin_ns = now_ns(CLOCK_MONOTONIC);
		nanosleep(&wait, NULL);
		if (now_ns(CLOCK_MONOTONIC) - begin_ns < shortest_ns)
			shortest_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
	}
}

/* A call whose event has another name, and one that is newer than the headers of those who build the agent. */
#define FUTEX_WAKE_SINCE_6_7	454
static void calls_with_odd_names(void)
{
	struct utsname name;

	for (int i = 0; i < 5; i++)
		syscall(SYS_uname, &name);
	for (int i = 0; i < 4; i++)
		syscall(FUTEX_WAKE_SINCE_6_7, NULL, 0, 0, 0);
}

static void *asks_once(void *context)
{
	f_asks();
	return context;
}

/* Each thread's first call is its only one. */
static void short_threads(long nr)
{
	pthread_t thread;

	for (long i = 0; i < nr; i++)
		if (pthread_create(&thread, NULL, asks_once, NULL) || pthread_join(thread, NULL))
			exit(1);
}

/* usage: hits CALLS FORKS NS-BETWEEN-RENAMES [SHORT-THREADS] */
int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc < 4)
		return 2;
	calls = atol(argv[1]);
	waits_ns = atol(argv[3]);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, asks, NULL))
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (long i = atol(argv[2]); i > 0; i--) {
		pid_t child = fork();

		if (!child) {
			/* A child's are not its parent's. */
			syscall(SYS_getppid);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	renames();
	calls_with_odd_names();
	if (argc > 4)
		short_threads(atol(argv[4]));
	tell("unames", 5);
	tell("futex_wakes", 4);
	tell("calls", 2 * calls);
	tell("threads", 2);
	tell("clones", 2 + atol(argv[2]));
	tell("renames", 20);
	tell("shortest_ns", shortest_ns);
	tell("longest_ns", longest_ns);
	return 0;
}
