// SPDX-License-Identifier: GPL-2.0
/*
 * The first thread ends, another one goes on: it works, or executes this program again.
 *
 * usage: leaves MILLISECONDS HOT-CALLS-BETWEEN
 *        leaves exec 0
 */
#include <pthread.h>

#include "common.h"

static volatile long sink;
static char **words;

PROBED long f_hot(long x) { sink += x; END(); return sink; }
PROBED void f_kept(void) { spin(200000); END(); }

static void *work(void *unused)
{
	uint64_t end_ns = now_ns(CLOCK_MONOTONIC) + atol(words[1]) * 1000000, kept = 0;

	(void)unused;
	/* Until the first one is gone. */
	usleep(100000);
	while (now_ns(CLOCK_MONOTONIC) < end_ns) {
		for (long i = 0; i < atol(words[2]); i++)
			f_hot(i);
		f_kept();
		kept++;
		usleep(1000);
	}
	tell("kept", kept);
	exit(0);
}

static void *execute(void *unused)
{
	(void)unused;
	execl(words[0], words[0], "exec", "0", "again", NULL);
	exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	words = argv;
	for (int i = 0; i < 100; i++)
		f_hot(i);
	if (argc > 3)
		return 0;
	pthread_create(&thread, NULL, strcmp(argv[1], "exec") ? work : execute, NULL);
	pthread_exit(NULL);
}
