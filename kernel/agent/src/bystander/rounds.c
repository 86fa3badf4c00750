// SPDX-License-Identifier: GPL-2.0
#include <time.h>

#include "base/sort.h"
#include "bystander/operations.h"
#include "bystander/rounds.h"

#define BATCHES		5	/* of an operation, a round */
#define BATCH_NS	20000	/* short enough to miss most ticks */
#define TRIAL_TIMES	16
#define LEAST_TIMES	4
#define MOST_TIMES	1000
/* Of a CPU's time a round takes one part, and the pause behind it all others. */
#define PARTS		200
#define LEAST_PAUSE_MS	50
/* That are not counted, at first: caches, and what an emulated machine has still to translate. */
#define WARM_ROUNDS	5

/* Of both threads: so it has all that a switch takes, and nothing of who else had the CPU meanwhile. */
static uint64_t process__cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return used.tv_sec * 1000000000ull + used.tv_nsec;
}

static uint64_t batch__ns(size_t operation, uint32_t times)
{
	uint64_t begin_ns = process__cpu_ns();

	operation__run(operation, times);
	return process__cpu_ns() - begin_ns;
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static uint64_t round__ns(size_t operation, uint32_t times)
{
	uint64_t batches[BATCHES];
	int i;

	/* Not counted: how long the process has rested says how much of its code is in the caches. */
	batch__ns(operation, times);
	for (i = 0; i < BATCHES; i++)
		batches[i] = batch__ns(operation, times);
	sort(batches, BATCHES, sizeof(*batches), compare);
	return batches[BATCHES / 2];
}

/* An even number: a trip of the switch is there and back. */
static uint32_t times__of(size_t operation)
{
	uint64_t trial_ns = round__ns(operation, TRIAL_TIMES), times = MOST_TIMES;

	if (trial_ns)
		times = BATCH_NS * TRIAL_TIMES / trial_ns;
	times = times < LEAST_TIMES ? LEAST_TIMES : times > MOST_TIMES ? MOST_TIMES : times;
	return times & ~1u;
}

void rounds__begin(struct rounds *rounds)
{
	uint32_t i, j;

	rounds->stretch = 1;
	for (i = 0; i < rounds->nr_operations; i++) {
		rounds->times[i] = operation__is_possible(rounds->operations[i]) ? times__of(rounds->operations[i]) : 0;
		for (j = 0; rounds->times[i] && j < WARM_ROUNDS; j++)
			round__ns(rounds->operations[i], rounds->times[i]);
	}
	rounds->cpu_ns = process__cpu_ns();
}

/* Every second one stays, from all of the time that they are of. */
static void series__thin_out(struct rounds_series *series)
{
	uint32_t operation, i;

	series->nr /= 2;
	for (operation = 0; operation < ROUNDS_OPERATIONS; operation++)
		for (i = 0; i < series->nr; i++)
			series->ns[operation][i] = series->ns[operation][2 * i];
}

uint64_t rounds__add(struct rounds *rounds, enum rounds_phase phase)
{
	struct rounds_series *series = &rounds->phases[phase];
	uint64_t begin_ns = process__cpu_ns();
	uint32_t i;

	if (series->nr == ROUNDS_MOST) {
		series__thin_out(series);
		rounds->stretch *= 2;
	}
	for (i = 0; i < rounds->nr_operations; i++)
		if (rounds->times[i])
			series->ns[i][series->nr] = round__ns(rounds->operations[i], rounds->times[i]);
	series->nr++;
	rounds->cpu_ns = process__cpu_ns();
	return rounds->cpu_ns - begin_ns;
}

uint64_t rounds__operations(const struct rounds *rounds, uint32_t operation)
{
	return (BATCHES + 1ull) * rounds->times[operation];
}

void rounds__drop_last(struct rounds *rounds, enum rounds_phase phase)
{
	if (rounds->phases[phase].nr)
		rounds->phases[phase].nr--;
}

uint64_t rounds__pause_ms(const struct rounds *rounds, enum rounds_phase phase, uint64_t took_ns)
{
	uint64_t pause_ms = took_ns * (PARTS - 1) / 1000000 + 1;

	if (pause_ms < LEAST_PAUSE_MS)
		pause_ms = LEAST_PAUSE_MS;
	return phase == ROUNDS_DURING ? pause_ms * rounds->stretch : pause_ms;
}
