// SPDX-License-Identifier: GPL-2.0
/*
 * Comes to static probes that are the begins and ends of work, and tells how long that took: nested, one across the other, on other
 * threads, and where one of the two is missing.
 *
 * usage: pairs ROUNDS
 */
#include <pthread.h>
#include <semaphore.h>

#include "common.h"
#include "static_probe.h"

#define DEEP	200

volatile unsigned short work__done_semaphore __attribute__((section(".probes"), used));
static long rounds;
static sem_t handed, done;

/* Far from each other on the stack, and in functions that have returned by then. */
PROBED void begin_work(void) { char room[200]; memset(room, 1, sizeof(room)); STATIC_PROBE("pairs", "work__start", "0"); END(); }
PROBED void begin_work_elsewhere(void) { STATIC_PROBE("pairs", "work__start", "0"); END(); }
PROBED void end_work(void) { if (work__done_semaphore) STATIC_PROBE("pairs", "work__done", "work__done_semaphore"); END(); }
PROBED void begin_other(void) { STATIC_PROBE("pairs", "other__start", "0"); END(); }
PROBED void end_other(void) { STATIC_PROBE("pairs", "other__done", "0"); END(); }
PROBED void begin_handed(void) { STATIC_PROBE("pairs", "handed__start", "0"); END(); }
PROBED void end_handed(void) { STATIC_PROBE("pairs", "handed__done", "0"); END(); }
PROBED void begin_deep(void) { STATIC_PROBE("pairs", "deep__start", "0"); END(); }
PROBED void end_deep(void) { STATIC_PROBE("pairs", "deep__done", "0"); END(); }

/* How long it slept by itself, and at most with all around. */
static uint64_t least_ns, most_ns;

static void work(long round)
{
	uint64_t begin = now_ns(CLOCK_MONOTONIC), least;

	if (round % 2)
		begin_work();
	else
		begin_work_elsewhere();
	least = now_ns(CLOCK_MONOTONIC);
	begin_other();
	usleep(1000);
	/* Across each other. */
	least = now_ns(CLOCK_MONOTONIC) - least;
	end_work();
	most_ns += now_ns(CLOCK_MONOTONIC) - begin;
	least_ns += least;
	end_other();
}

static void *take(void *context)
{
	for (long i = 0; i < rounds; i++) {
		sem_wait(&handed);
		end_handed();
		sem_post(&done);
	}
	return context;
}

/* Begins here and ends on another thread: no call. */
static int hand(void)
{
	pthread_t thread;

	sem_init(&handed, 0, 0);
	sem_init(&done, 0, 0);
	if (pthread_create(&thread, NULL, take, NULL))
		return 1;
	for (long i = 0; i < rounds; i++) {
		begin_handed();
		sem_post(&handed);
		sem_wait(&done);
	}
	return pthread_join(thread, NULL);
}

PROBED void deep(int left)
{
	begin_deep();
	if (left > 1)
		deep(left - 1);
	end_deep();
	END();
}

PROBED void sleep_within(void) { begin_work(); usleep(20000); end_work(); END(); }

/* An error in each second round jumps over the end. */
PROBED void fail(long round) { STATIC_PROBE("pairs", "failing__start", "0"); if (round % 2) STATIC_PROBE("pairs", "failing__done", "0"); END(); }

/* One request ends where the next one begins: two probes at one instruction. */
PROBED void hand_over(void)
{
	STATIC_PROBE("pairs", "first__start", "0");
	usleep(100);
	STATIC_PROBE_AT("", "pairs", "first__done", "0");
	STATIC_PROBE("pairs", "second__start", "0");
	usleep(100);
	STATIC_PROBE("pairs", "second__done", "0");
	END();
}

static void *dive(void *context)
{
	deep(DEEP);
	/* And ends without begins. */
	for (int i = 0; i < 3; i++)
		end_deep();
	return context;
}

int main(int argc, char **argv)
{
	pthread_t diver;

	if (argc < 2)
		return 2;
	rounds = atol(argv[1]);
	for (long i = 0; i < rounds; i++)
		work(i);
	tell("least", least_ns);
	tell("most", most_ns);
	if (hand() || pthread_create(&diver, NULL, dive, NULL) || pthread_join(diver, NULL))
		return 1;
	/* One within another of its kind: the inner one ends first. */
	begin_work();
	sleep_within();
	end_work();
	for (long i = 0; i < rounds; i++)
		fail(i);
	for (long i = 0; i < rounds; i++)
		hand_over();
	return 0;
}
