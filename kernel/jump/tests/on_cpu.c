// SPDX-License-Identifier: GPL-2.0
#include "on_cpu.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define RIVALS 2

uint64_t on_cpu__now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static uint64_t inner_ns;

__attribute__((noinline, noclone)) long o_works(void (*work)(void))
{
	uint64_t begin = on_cpu__now_ns();

	work();
	inner_ns = on_cpu__now_ns() - begin;
	return inner_ns > 0;
}

struct on_cpu_truth on_cpu__call(void (*work)(void))
{
	uint64_t begin = on_cpu__now_ns(), end;

	o_works(work);
	end = on_cpu__now_ns();
	return (struct on_cpu_truth){ inner_ns, end - begin };
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
