// SPDX-License-Identifier: GPL-2.0
/*
 * A coroutine that two threads resume in turn, as the threads of a pool do.  f_handle() yields a
 * number of times: where that is odd the call ends on another thread than the one it began on.
 * f_whole() does not yield.
 *
 * usage: migrates CALLS
 */
#include <pthread.h>
#include <semaphore.h>
#include <ucontext.h>

#include "truth.h"

static ucontext_t coroutine, scheduler;
static sem_t turn[2];
static volatile int done;
static volatile long sum;
static long calls, same_thread;
static uint64_t same_thread_ns;

static void yield(void) { swapcontext(&coroutine, &scheduler); }

PROBED long f_handle(int yields)
{
	for (int i = 0; i < yields; i++)
		yield();
	sum++;
	END();
	return sum;
}

PROBED long f_whole(int n)
{
	sum += n;
	END();
	return sum;
}

static void body(void)
{
	/* 1 1 2 1 2 3: each number follows each other one. */
	static const int yields[] = { 1, 1, 2, 1, 2, 3, 3, 2, 2 };

	for (long i = 0; i < calls; i++) {
		int n = yields[i % (sizeof(yields) / sizeof(*yields))];
		uint64_t begin = wall_ns();

		f_handle(n);
		if (!(n & 1)) {
			same_thread++;
			same_thread_ns += wall_ns() - begin;
		}
		f_whole(n);
	}
	done = 1;
	yield();
}

static void *resumes(void *which)
{
	long me = (long)which;

	for (;;) {
		sem_wait(&turn[me]);
		if (done) {
			sem_post(&turn[!me]);
			return NULL;
		}
		swapcontext(&scheduler, &coroutine);
		sem_post(&turn[!me]);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	calls = atol(argv[1]);
	getcontext(&coroutine);
	coroutine.uc_stack.ss_size = 65536;
	coroutine.uc_stack.ss_sp = malloc(coroutine.uc_stack.ss_size);
	makecontext(&coroutine, body, 0);
	sem_init(&turn[0], 0, 1);
	sem_init(&turn[1], 0, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, resumes, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("sum %ld\n", sum);
	tell("f_handle.returned", calls);
	tell("f_handle.same_thread", same_thread);
	tell("f_handle.same_thread_ns", same_thread_ns);
	tell("f_whole.returned", calls);
	return 0;
}
