// SPDX-License-Identifier: GPL-2.0
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "mechanism/trap/calibrate_beside.h"
#include "mechanism/trap/calibration_code.h"

#define SWITCHES	50	/* a batch */
#define SWITCH_BATCHES	20
#define THREADS		8	/* a batch */
#define THREAD_BATCHES	3

static uint64_t time_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static struct {
	bool is_made;
	int to[2], from[2];
	uint8_t class;
	cpu_set_t cpu;
} partner;

/* What a byte asks the partner for, before it answers. */
enum { ANSWER, MOVE, MOVE_AND_CALL };

static void *answer(void *unused)
{
	char byte;

	while (read(partner.to[0], &byte, 1) == 1) {
		if (byte != ANSWER)
			sched_setaffinity(0, sizeof(partner.cpu), &partner.cpu);
		if (byte == MOVE_AND_CALL)
			calibration_code__call(calibration_code[partner.class].start, 1);
		if (write(partner.from[1], &byte, 1) != 1)
			break;
	}
	return NULL;
}

static bool ask(char byte)
{
	return write(partner.to[1], &byte, 1) == 1 && read(partner.from[0], &byte, 1) == 1;
}

static bool partner__make(void)
{
	pthread_t thread;

	if (!partner.is_made)
		partner.is_made = !pipe(partner.to) && !pipe(partner.from) &&
				  !pthread_create(&thread, NULL, answer, NULL);
	return partner.is_made;
}

static double switch__ns(uint8_t class, bool after_call)
{
	double best_ns = 1e9, took_ns;
	uint64_t begin_ns;
	cpu_set_t before;
	int batch, i;

	if (!partner__make() || sched_getaffinity(0, sizeof(before), &before))
		return 0;
	CPU_ZERO(&partner.cpu);
	CPU_SET(sched_getcpu(), &partner.cpu);
	partner.class = class;
	sched_setaffinity(0, sizeof(partner.cpu), &partner.cpu);
	if (after_call)
		calibration_code__call(calibration_code[class].start, 1);
	ask(after_call ? MOVE_AND_CALL : MOVE);
	for (batch = 0; batch < SWITCH_BATCHES; batch++) {
		begin_ns = time_ns(CLOCK_MONOTONIC);
		for (i = 0; i < SWITCHES / 2; i++)
			if (!ask(ANSWER))
				return 0;
		took_ns = (double)(time_ns(CLOCK_MONOTONIC) - begin_ns) / SWITCHES;
		if (took_ns < best_ns)
			best_ns = took_ns;
	}
	sched_setaffinity(0, sizeof(before), &before);
	return best_ns;
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

/* Of all threads: a thread goes on ending while the next one begins. */
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
