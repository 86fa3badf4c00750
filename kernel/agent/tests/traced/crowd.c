// SPDX-License-Identifier: GPL-2.0
/*
 * crowd THREADS CALLS SECONDS: so many threads that all want a CPU all the time, and make CALLS calls of f_crowd a second
 * together.  Prints how many they made.
 */
#include <inttypes.h>
#include <pthread.h>

#include "common.h"

#define STACK_BYTES	(64U << 10)

static double calls_per_second;		/* of each */
static uint64_t begin_ns, run_ns;

PROBED uint64_t f_crowd(uint64_t n)
{
	END();
	return n + 1;
}

/* Makes the calls that are due by now, computes, and repeats. */
static void *caller__run(void *argument)
{
	uint64_t done = 0, spent_ns, due;
	volatile int i;

	do {
		spent_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
		due = (double)(spent_ns < run_ns ? spent_ns : run_ns) / 1e9 * calls_per_second;
		while (done < due)
			done = f_crowd(done);
		for (i = 0; i < 2000; i++)
			;
	} while (spent_ns < run_ns);
	*(uint64_t *)argument = done;
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[1]) : 0, started = 0;
	pthread_t *ids = calloc(threads + 1, sizeof(*ids));
	uint64_t *made = calloc(threads + 1, sizeof(*made)), all = 0;
	pthread_attr_t attributes;

	if (!threads || !ids || !made)
		return 2;
	calls_per_second = atof(argv[2]) / threads;
	run_ns = atof(argv[3]) * 1e9;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	begin_ns = now_ns(CLOCK_MONOTONIC);
	while (started < threads && !pthread_create(&ids[started], &attributes, caller__run, &made[started]))
		started++;
	while (started) {
		pthread_join(ids[--started], NULL);
		all += made[started];
	}
	printf("%" PRIu64 "\n", all);
	return 0;
}
