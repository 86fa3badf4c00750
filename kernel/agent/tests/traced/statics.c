// SPDX-License-Identifier: GPL-2.0
/*
 * Comes to static probes (USDT) whenever it is told, by two threads at once and by a child, and tells how often; and a library
 * that has one.
 *
 * usage: statics CALLS	a line of input: a turn; the end of it: it ends
 */
#include <pthread.h>
#include <sys/wait.h>

#include "common.h"
#include "static_probe.h"

#ifdef LIBRARY
int f_late(int number);
int f_late(int number)
{
	STATIC_PROBE("traced", "late", "0");
	return number;
}
#else
volatile unsigned short counted_semaphore __attribute__((section(".probes"), used));

static long calls, counted;

PROBED void f_here(void) { STATIC_PROBE("traced", "places", "0"); END(); }
PROBED void f_there(void) { STATIC_PROBE("traced", "places", "0"); END(); }
PROBED void f_fast(void) { STATIC_PROBE_AT(".byte 0x0f, 0x1f, 0x44, 0, 0", "traced", "fast", "0"); END(); }
/* Where nothing that does nothing is: a trap there would be no static probe's. */
PROBED long f_broken(long number) { STATIC_PROBE_AT("xor %%eax, %%eax", "traced", "broken", "0"); END(); return number; }

/* Takes pains only for those who watch. */
PROBED void f_counted(void)
{
	if (counted_semaphore) {
		__atomic_fetch_add(&counted, 1, __ATOMIC_RELAXED);
		STATIC_PROBE("traced", "counted", "counted_semaphore");
	}
	END();
}

static void *turn(void *context)
{
	for (long i = 0; i < calls; i++) {
		f_here();
		if (i % 2)
			f_there();
		f_fast();
		f_counted();
	}
	return context;
}

int main(int argc, char **argv)
{
	char line[16];

	if (argc < 2)
		return 2;
	calls = atol(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	tell("watched", counted_semaphore);
	while (fgets(line, sizeof(line), stdin)) {
		pthread_t threads[2];
		pid_t child;

		counted = 0;
		for (int i = 0; i < 2; i++)
			if (pthread_create(&threads[i], NULL, turn, NULL))
				return 1;
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		tell("places", 2 * (calls + calls / 2));
		tell("fast", 2 * calls);
		tell("counted", counted);
		child = fork();
		if (!child) {
			/* A child's are not its parent's. */
			turn(NULL);
			_exit(f_broken(0));
		}
		waitpid(child, NULL, 0);
		tell("watched", counted_semaphore);
	}
	return 0;
}
#endif
