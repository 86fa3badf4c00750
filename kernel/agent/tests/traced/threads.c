// SPDX-License-Identifier: GPL-2.0
/*
 * The same calls by one thread, and by many at once, in turn: each tells the CPU time of a call, in
 * picoseconds, of the probed function and of one that does the same and is not probed.
 */
#include <pthread.h>

#include "common.h"

#define MAX_THREADS	64

static pthread_barrier_t together;
static volatile long sinks[MAX_THREADS][16];
static long calls;

PROBED long f_small(volatile long *sink, long x) { *sink += x; END(); return *sink; }
PROBED long twin_small(volatile long *sink, long x) { *sink += x; END(); return *sink; }

struct share {
	pthread_t thread;
	long (*function)(volatile long *sink, long x);
	volatile long *sink;
	uint64_t cpu_ns;
};

static void *work(void *context)
{
	struct share *share = context;
	uint64_t begin_ns;

	pthread_barrier_wait(&together);
	begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	for (long i = 0; i < calls; i++)
		share->function(share->sink, i);
	share->cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
	return NULL;
}

static uint64_t of_a_call_ps(unsigned int nr, long (*function)(volatile long *sink, long x))
{
	struct share shares[MAX_THREADS];
	uint64_t cpu_ns = 0;
	unsigned int i;

	pthread_barrier_init(&together, NULL, nr);
	for (i = 0; i < nr; i++) {
		shares[i] = (struct share){ .function = function, .sink = sinks[i] };
		if (pthread_create(&shares[i].thread, NULL, work, &shares[i]))
			exit(1);
	}
	for (i = 0; i < nr; i++) {
		pthread_join(shares[i].thread, NULL);
		cpu_ns += shares[i].cpu_ns;
	}
	pthread_barrier_destroy(&together);
	return cpu_ns * 1000 / nr / calls;
}

/* usage: threads ROUNDS CALLS THREADS */
int main(int argc, char **argv)
{
	long rounds;
	unsigned int nr;

	if (argc < 4)
		return 2;
	rounds = atol(argv[1]);
	calls = atol(argv[2]);
	nr = atoi(argv[3]);
	if (calls < 1 || nr < 1 || nr > MAX_THREADS)
		return 2;
	for (; rounds > 0; rounds--) {
		tell("one.probed", of_a_call_ps(1, f_small));
		tell("one.plain", of_a_call_ps(1, twin_small));
		tell("many.probed", of_a_call_ps(nr, f_small));
		tell("many.plain", of_a_call_ps(nr, twin_small));
	}
	return 0;
}
