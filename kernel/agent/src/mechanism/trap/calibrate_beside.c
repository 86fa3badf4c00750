// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "mechanism/trap/calibrate_beside.h"
#include "mechanism/trap/calibration_code.h"

#define SWITCHES	50	/* a batch */
#define SWITCH_BATCHES	5
#define THREADS		4	/* a batch */
#define THREAD_BATCHES	2

static uint64_t time_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Threads that answer: one that has made no probed call, and one that has.  Two, as the effect of a call on its thread stays. */
static struct partner {
	bool is_made;
	int to[2], from[2];
	cpu_set_t cpu;
	const char *function;	/* that it calls once; NULL: none */
} partners[2];

/* The byte that a partner is sent: only to answer, or first to move to the CPU that it is told. */
enum { ANSWER, MOVE };

static void *answer(void *context)
{
	struct partner *partner = context;
	char byte;

	if (partner->function)
		calibration_code__call(partner->function, 1);
	while (read(partner->to[0], &byte, 1) == 1) {
		if (byte == MOVE)
			sched_setaffinity(0, sizeof(partner->cpu), &partner->cpu);
		if (write(partner->from[1], &byte, 1) != 1)
			break;
	}
	return NULL;
}

static bool ask(const struct partner *partner, char byte)
{
	return write(partner->to[1], &byte, 1) == 1 && read(partner->from[0], &byte, 1) == 1;
}

/* A thread that asks a partner on and on: best_ns is from its fastest batch, which was disturbed least. */
struct asker {
	struct partner *partner;
	double best_ns;
};

static void *ask_often(void *context)
{
	struct asker *asker = context;
	struct partner *partner = asker->partner;
	uint64_t begin_ns;
	double took_ns;
	int batch, i;

	if (partner->function)
		calibration_code__call(partner->function, 1);
	CPU_ZERO(&partner->cpu);
	CPU_SET(sched_getcpu(), &partner->cpu);
	sched_setaffinity(0, sizeof(partner->cpu), &partner->cpu);
	ask(partner, MOVE);
	for (batch = 0; batch < SWITCH_BATCHES; batch++) {
		begin_ns = time_ns(CLOCK_MONOTONIC);
		for (i = 0; i < SWITCHES / 2; i++)
			if (!ask(partner, ANSWER))
				return NULL;
		took_ns = (double)(time_ns(CLOCK_MONOTONIC) - begin_ns) / SWITCHES;
		if (!asker->best_ns || took_ns < asker->best_ns)
			asker->best_ns = took_ns;
	}
	return NULL;
}

static double switch__ns(uint8_t class, bool after_call)
{
	struct partner *partner = &partners[after_call];
	struct asker asker = { .partner = partner };
	pthread_t thread;

	if (!partner->is_made) {
		partner->function = after_call ? calibration_code[class].start : NULL;
		partner->is_made = !pipe(partner->to) && !pipe(partner->from) &&
				   !pthread_create(&thread, NULL, answer, partner);
	}
	if (!partner->is_made || pthread_create(&thread, NULL, ask_often, &asker))
		return 0;
	pthread_join(thread, NULL);
	return asker.best_ns;
}

struct newcomer {
	const char *function;
	unsigned int calls;
};

static void *call(void *context)
{
	const struct newcomer *newcomer = context;

	calibration_code__call(newcomer->function, newcomer->calls);
	return NULL;
}

/* By the CPU time of the whole process, as a thread that was joined still ends in the kernel while the next one begins. */
static double thread__ns(uint8_t class, unsigned int calls)
{
	struct newcomer newcomer = { calibration_code[class].start, calls };
	double best_ns = 1e12, took_ns;
	uint64_t begin_ns;
	pthread_t thread;
	int batch, i;

	for (batch = 0; batch < THREAD_BATCHES; batch++) {
		begin_ns = time_ns(CLOCK_PROCESS_CPUTIME_ID);
		for (i = 0; i < THREADS; i++)
			if (pthread_create(&thread, NULL, call, &newcomer) || pthread_join(thread, NULL))
				return 0;
		took_ns = (double)(time_ns(CLOCK_PROCESS_CPUTIME_ID) - begin_ns) / THREADS;
		if (took_ns < best_ns)
			best_ns = took_ns;
	}
	return best_ns;
}

double beside__ns(enum calibrate_beside what, uint8_t class)
{
	if (what == BESIDE_SWITCH || what == BESIDE_SWITCH_AFTER_CALL)
		return switch__ns(class, what == BESIDE_SWITCH_AFTER_CALL);
	return thread__ns(class, what == BESIDE_THREAD ? 1 : BESIDE_CALLS);
}
