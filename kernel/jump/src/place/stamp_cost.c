// SPDX-License-Identifier: GPL-2.0
#include "place/stamp_cost.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "place/image.h"
#include "threads/clocks.h"

#define CODE_BYTES (2 * JUMP_PAGE)
#define ROUNDS 64
#define CALLS 500

static const struct shared_layout layout_without = { .functions = 1, .shards = 1, .sets = 64 };
/* No call finds its ring full: all of them take new memory, as calls of a process do. */
static const struct shared_layout layout_telling = { .functions = 1, .shards = 1, .sets = 64, .rings = 1, .slots = 1 << 16 };
_Static_assert(2 * ROUNDS * CALLS <= 1 << 16, "there is room for an entry and an end of each");

/* A mapping as processes get it, but for the clocks: all processors' say that this thread runs and never was away. */
struct trial {
	const struct shared_layout *layout;
	uint8_t *mapping;
	size_t bytes;
	struct jump_shared *shared;
	struct jump_clock *clocks;
	void (*measured)(void), (*bare)(void);
};

static void open_clocks(struct trial *trial)
{
	uint64_t thread = thread_clocks__own_base();

	for (int i = 0; i < JUMP_MAX_CLOCKS; i++)
		trial->clocks[i] = (struct jump_clock){ .thread = thread, .number = 1ull << 32 };
	shared__use_clocks(trial->shared, (uint64_t)trial->clocks, JUMP_MAX_CLOCKS);
}

static int open_trial(struct trial *trial, struct image *image)
{
	size_t shared = shared__bytes(trial->layout), clocks = JUMP_MAX_CLOCKS * sizeof(struct jump_clock);
	uint64_t measured, bare;

	trial->bytes = JUMP_CONTROL_BYTES + CODE_BYTES + shared + clocks;
	trial->mapping = mmap(NULL, trial->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (trial->layout->rings ? MAP_POPULATE : 0), -1, 0);
	if (trial->mapping == MAP_FAILED || image__init(image, (uint64_t)trial->mapping, CODE_BYTES))
		return -1;
	trial->shared = (void *)(trial->mapping + JUMP_CONTROL_BYTES + CODE_BYTES);
	trial->clocks = (void *)((uint8_t *)trial->shared + shared);
	image__add_empty(image, &measured, &bare);
	memcpy(trial->mapping + JUMP_CONTROL_BYTES, image->code.bytes, CODE_BYTES);
	memcpy(trial->mapping, &trial->shared, sizeof(trial->shared));
	shared__init(trial->shared, trial->layout, &(struct shared_costs){ .rate = 1ull << 32 });
	open_clocks(trial);
	trial->measured = (void (*)(void))measured;
	trial->bare = (void (*)(void))bare;
	return image->code.failed ? -1 : mprotect(trial->mapping + JUMP_CONTROL_BYTES, CODE_BYTES, PROT_READ | PROT_EXEC);
}

static uint64_t calls__take(void (*function)(void))
{
	struct clock_pair begin = clock__now();

	for (int i = 0; i < CALLS; i++)
		function();
	return clock__now().ticks - begin.ticks;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* What disturbs a round makes it slower. */
static double least(double *rounds, double *spread)
{
	qsort(rounds, ROUNDS, sizeof(*rounds), compare);
	*spread = rounds[3 * ROUNDS / 4] - rounds[0];
	return rounds[0];
}

static void measure(const struct trial *trial, struct stamp_cost *cost)
{
	double inner[ROUNDS], bare[ROUNDS], measured[ROUNDS], took, unused, ns;
	struct clock_pair begin = clock__now(), end;
	struct call_counts counts;
	uint64_t before = 0;

	for (int i = 0; i < ROUNDS; i++) {
		bare[i] = (double)calls__take(trial->bare) / CALLS;
		measured[i] = (double)calls__take(trial->measured) / CALLS;
		shared__count(trial->shared, trial->layout, 0, &counts);
		inner[i] = (double)(counts.total - before) / CALLS;
		before = counts.total;
	}
	while (end = clock__now(), end.ns - begin.ns < 20000000)
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
	cost->rate = clock__rate(&begin, &end);
	ns = cost->rate / 4294967296.0;
	cost->inner_ns = least(inner, &cost->inner_spread_ns);
	cost->inner = cost->inner_ns;
	cost->inner_ns = cost->inner * ns;
	cost->inner_spread_ns *= ns;
	took = least(measured, &cost->call_spread_ns) - least(bare, &unused);
	cost->call = took > cost->inner ? took : cost->inner;
	cost->call_ns = cost->call * ns;
	cost->call_spread_ns *= ns;
}

int stamp_cost__measure(struct stamp_cost *cost, bool events, struct error *error)
{
	struct trial trial = { .layout = events ? &layout_telling : &layout_without };
	struct image image = { 0 };
	int err;

	*cost = (struct stamp_cost){ 0 };
	if (thread_clocks__check_processor(error))
		return -1;
	err = open_trial(&trial, &image) ?
	      error__set(error, ERR_FAILED, "What jumps cost can't be measured: %s.", strerror(errno)) : 0;
	if (!err)
		measure(&trial, cost);
	if (trial.mapping && trial.mapping != MAP_FAILED)
		munmap(trial.mapping, trial.bytes);
	image__free(&image);
	return err;
}
