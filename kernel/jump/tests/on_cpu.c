// SPDX-License-Identifier: GPL-2.0
#include "on_cpu.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define RIVALS 2

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

uint64_t on_cpu__now_ns(void)
{
	uint64_t before, now = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	/*
	 * Where the kernel has charged the thread for an interrupt, as it had not ended yet, it takes that back as it goes on: then
	 * the thread's clock stands still, and the kernel does not say that it has looked at the account.
	 */
	do {
		before = now;
		now = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	} while (now == before);
	return now;
}

static uint64_t inner_ns, inner_from, inner_until;	/* the last two by the wall's clock */

__attribute__((noinline, noclone)) long o_works(void (*work)(void))
{
	uint64_t begin = on_cpu__now_ns();

	inner_from = clock_ns(CLOCK_MONOTONIC);
	work();
	inner_until = clock_ns(CLOCK_MONOTONIC);
	inner_ns = on_cpu__now_ns() - begin;
	return inner_ns > 0;
}

struct on_cpu_truth on_cpu__call(void (*work)(void))
{
	uint64_t from = clock_ns(CLOCK_MONOTONIC), begin = on_cpu__now_ns(), end;

	o_works(work);
	end = on_cpu__now_ns();
	return (struct on_cpu_truth){
		.inner_ns = inner_ns, .outer_ns = end - begin,
		.before_ns = inner_from - from, .after_ns = clock_ns(CLOCK_MONOTONIC) - inner_until,
	};
}

double on_cpu__error_ns(const struct on_cpu_truth *truth, double told_ns)
{
	if (told_ns < truth->inner_ns)
		return truth->inner_ns - told_ns <= truth->before_ns ? 0 : told_ns - truth->inner_ns;
	if (told_ns > truth->outer_ns)
		return told_ns - truth->outer_ns <= truth->after_ns ? 0 : told_ns - truth->outer_ns;
	return 0;
}

__attribute__((noinline, noclone)) long o_plain(void (*work)(void))
{
	volatile long before = sizeof(work);	/* so that its call is not where the jump is put */

	work();
	return before;
}

uint64_t on_cpu__call_often(void (*work)(void), int calls)
{
	uint64_t begin = on_cpu__now_ns();

	for (int i = 0; i < calls; i++)
		o_plain(work);
	return on_cpu__now_ns() - begin;
}

static void turn(unsigned int turns)
{
	volatile unsigned int turn = 0;

	while (turn < turns)
		turn = turn + 1;
}

void on_cpu__compute(void)
{
	turn(300000);
}

void on_cpu__sleep(void)
{
	usleep(1000);
}

void on_cpu__sleep_long(void)
{
	sleep(1);
}

void on_cpu__mix(void)
{
	for (int i = 0; i < 3; i++) {
		turn(50000);
		usleep(100);
	}
}

void on_cpu__short(void)
{
	turn(1000);
}

void on_cpu__long(void)
{
	turn(20000000);
}

static volatile int stop;
static pthread_t rivals[RIVALS];

static void *compete(void *unused)
{
	while (!stop)
		turn(1000);
	return NULL;
}

void on_cpu__begin_rivals(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
	stop = 0;
	for (int i = 0; i < RIVALS; i++)
		pthread_create(&rivals[i], NULL, compete, NULL);
}

void on_cpu__end_rivals(void)
{
	cpu_set_t all;

	stop = 1;
	for (int i = 0; i < RIVALS; i++)
		pthread_join(rivals[i], NULL);
	for (int i = 0; i < CPU_SETSIZE; i++)
		CPU_SET(i, &all);
	sched_setaffinity(0, sizeof(all), &all);
}
