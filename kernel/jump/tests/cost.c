// SPDX-License-Identifier: GPL-2.0
/*
 * cost [ROUNDS]: what a measured call costs here by jumps, beside two traps of the kernel's without any program: in
 * turn, in one process, so that what else the machine does meets all alike.  Told are medians, with the quartiles.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "own_process.h"

#define MAX_ROUNDS 10000

long c_bare(long x), c_jump(long x), c_trap(long x), c_stepped(long x);

enum { BARE, JUMP, JUMP_ON_CPU, JUMP_TOLD, JUMP_TWO, TRAP, STEPPED, WAYS };

static const struct way {
	const char *name;
	long (*function)(long x);
	unsigned int calls;
} ways[WAYS] = {
	[BARE] = { "no probe", c_bare, 50000 },
	[JUMP] = { "jumps", c_jump, 20000 },
	[JUMP_ON_CPU] = { "jumps, with times on CPUs, as recordings do", c_jump, 20000 },
	[JUMP_TOLD] = { "jumps, with times on CPUs and events", c_jump, 20000 },
	[JUMP_TWO] = { "jumps, two threads at once", c_jump, 20000 },
	[TRAP] = { "traps, emulated and by the return address", c_trap, 2000 },
	[STEPPED] = { "traps, both single-stepped", c_stepped, 300 },
};

static bool told_all = true;
static double costs[WAYS][MAX_ROUNDS];
static volatile int stop;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static double measure(const struct way *way)
{
	double begin = now_ns();
	long sum = 0;

	for (unsigned int i = 0; i < way->calls; i++)
		sum += way->function(sum);
	__asm__ volatile("" :: "r"(sum));
	return (now_ns() - begin) / way->calls;
}

static uint64_t clocks, rings;

/* The same stamps, which take both clocks meanwhile. */
static double measure_on_cpu(const struct own_process *own)
{
	double cost;

	shared__use_clocks(own->shared, clocks, own->clocks.nr);
	cost = measure(&ways[JUMP_ON_CPU]);
	shared__use_clocks(own->shared, 0, 0);
	return cost;
}

/* And tell of single calls, in slots that were not used for as long as in a recording: the reader has read them all by then. */
static double measure_told(const struct own_process *own)
{
	double cost;

	own->shared->rings = rings;
	cost = measure_on_cpu(own);
	own->shared->rings = 0;
	for (uint32_t i = 0; i < own->layout.rings; i++) {
		struct jump_ring *ring = shared__ring(own->shared, &own->layout, i);

		told_all &= !ring->dropped;
		ring->tail = ring->head;
	}
	return cost;
}

static void *call_on(void *unused)
{
	while (!stop)
		measure(&ways[JUMP]);
	return NULL;
}

static double measure_beside(void)
{
	pthread_t other;
	double cost;

	stop = 0;
	pthread_create(&other, NULL, call_on, NULL);
	cost = measure(&ways[JUMP_TWO]);
	stop = 1;
	pthread_join(other, NULL);
	return cost;
}

static double measure_way(const struct own_process *own, int way)
{
	switch (way) {
	case JUMP_TWO:
		return measure_beside();
	case JUMP_ON_CPU:
		return clocks ? measure_on_cpu(own) : 0;
	case JUMP_TOLD:
		return clocks ? measure_told(own) : 0;
	default:
		return measure(&ways[way]);
	}
}

/* A counter on a place of the own program; -1 if the kernel does not do that. */
static int trap(uint64_t offset, int at_return)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config = at_return };
	FILE *type = fopen("/sys/bus/event_source/devices/uprobe/type", "re");

	if (!type || fscanf(type, "%u", &attr.type) != 1)
		return -1;
	fclose(type);
	attr.uprobe_path = (uint64_t)"/proc/self/exe";
	attr.probe_offset = offset;
	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool set_traps(const struct own_process *own)
{
	uint64_t offset, left;
	const struct elf_file *file = &own->plans.file;

	if (!elf_file__offset_of(file, (uint64_t)c_trap - own->bias, true, &offset, &left) ||
	    trap(offset, 0) < 0 || trap(offset, 1) < 0 ||
	    !elf_file__offset_of(file, (uint64_t)c_stepped - own->bias, true, &offset, &left))
		return false;
	/* mov %rsp, %rbp, and the return. */
	return trap(offset + 1, 0) >= 0 && trap(offset + 9, 0) >= 0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

#define RESTS 201

/* The ns that one call takes after others had the caches for 5 ms; measured: what its stamps say of it. */
static double call_after_rest(const struct own_process *own, const struct way *way, double *measured)
{
	const uint64_t before = own_process__counts(own, 0).total;
	unsigned int processor;
	uint64_t begin, end;

	usleep(5000);
	begin = __rdtscp(&processor);
	_mm_lfence();
	way->function(1);
	end = __rdtscp(&processor);
	*measured = own_process__counts(own, 0).total - before;
	return (end - begin) * (own->shared->rate / 4294967296.0);
}

static void tell_after_rest(const struct own_process *own)
{
	static double bare[RESTS], jump[RESTS], measured[RESTS];
	double unused;

	shared__use_clocks(own->shared, clocks, own->clocks.nr);
	for (int i = 0; i < RESTS; i++) {
		bare[i] = call_after_rest(own, &ways[BARE], &unused);
		jump[i] = call_after_rest(own, &ways[JUMP], &measured[i]);
	}
	shared__use_clocks(own->shared, 0, 0);
	qsort(bare, RESTS, sizeof(*bare), compare);
	qsort(jump, RESTS, sizeof(*jump), compare);
	qsort(measured, RESTS, sizeof(*measured), compare);
	printf("after 5 ms of sleep a call takes %.0f ns without a probe (%.0f to %.0f), by jumps %.0f (%.0f to %.0f), of which it is said to take %.0f (%.0f to %.0f)\n",
	       bare[RESTS / 2], bare[RESTS / 4], bare[3 * RESTS / 4], jump[RESTS / 2], jump[RESTS / 4], jump[3 * RESTS / 4],
	       measured[RESTS / 2], measured[RESTS / 4], measured[3 * RESTS / 4]);
}

int main(int argc, char **argv)
{
	static const char *const names[] = { "c_jump" };
	int rounds = argc > 1 ? atoi(argv[1]) : 200;
	struct own_process own;
	struct error error = { 0 };
	bool has_traps;

	if (rounds < 1 || rounds > MAX_ROUNDS)
		return 2;
	own_process__lay_out(&own, names, &(struct shared_layout){ .functions = 1, .shards = 2, .sets = 1024, .rings = 2, .slots = 1 << 18 });
	rings = own.shared->rings;
	own.shared->rings = 0;
	own_process__patch(&own);
	if (own_process__use_clocks(&own, &error))
		printf("without times on CPUs: %s\n", error.message);
	clocks = own.shared->clocks;
	shared__use_clocks(own.shared, 0, 0);
	has_traps = set_traps(&own);
	for (int round = -1; round < rounds; round++)
		for (int way = 0; way < (has_traps ? WAYS : TRAP); way++)
			costs[way][round < 0 ? 0 : round] = measure_way(&own, way);
	for (int way = 0; way < (has_traps ? WAYS : TRAP); way++) {
		double *all = costs[way];

		qsort(all, rounds, sizeof(*all), compare);
		printf("%-45s %8.1f ns a call (%.1f to %.1f)\n", ways[way].name, all[rounds / 2], all[rounds / 4],
		       all[3 * rounds / 4]);
	}
	if (!told_all)
		printf("some calls found no room to be told of: those cost less\n");
	if (has_traps)
		printf("jumps add %.3f of what the first traps add, and %.4f of the second\n",
		       (costs[JUMP][rounds / 2] - costs[BARE][rounds / 2]) / (costs[TRAP][rounds / 2] - costs[BARE][rounds / 2]),
		       (costs[JUMP][rounds / 2] - costs[BARE][rounds / 2]) / (costs[STEPPED][rounds / 2] - costs[BARE][rounds / 2]));
	else
		printf("the kernel sets no traps here\n");
	tell_after_rest(&own);
	return 0;
}
