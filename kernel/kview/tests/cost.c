// SPDX-License-Identifier: GPL-2.0
/*
 * Instructions, where the time stamp counter counts them, see cases_cost.c: the least of many batches, or what most of them take,
 * in which the timer and others have no part.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "cost.h"
#include "harness.h"
#include "symbols.h"

enum { BATCHES = 60, READS = 500, SWITCHES = 10, SWITCH_BATCHES = 120, BATCHES_AT_A_TIME = 10, REST_US = 20000, ROUNDS = 6 };

double cost_of_read(void)
{
	int fd = open("/dev/zero", O_RDONLY), i, j;
	unsigned long long best = ~0ULL, t;
	char b;

	for (i = 0; i < BATCHES; i++) {
		t = __rdtsc();
		for (j = 0; j < READS; j++)
			syscall(SYS_read, fd, &b, 1);
		t = __rdtsc() - t;
		if (t < best)
			best = t;
	}
	close(fd);
	return (double)best / READS;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Of batches of switches, in instructions. */
struct switches {
	unsigned long long batch[ROUNDS * SWITCH_BATCHES];
	size_t n;
};

static int by_size(const void *a, const void *b)
{
	const unsigned long long *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static double median(struct switches *s)
{
	qsort(s->batch, s->n, sizeof(*s->batch), by_size);
	return (double)s->batch[s->n / 2] / SWITCHES;
}

/*
 * Context switches of two processes that are not traced, and wake each other in turn.  Real-time ones: what the scheduler does
 * for others now and then takes more instructions for some switches.  These two keep others from the CPU, and how many wait for
 * it decides which way the scheduler goes: on 6.12 a switch takes 5 instructions more with one, and 7 fewer with two or more.  So
 * they rest again and again, for the others to be through.
 */
static void measure_switches(struct switches *s)
{
	struct sched_param fifo = { .sched_priority = 1 }, other = { 0 };
	unsigned long long t;
	int to[2], from[2], i, j;
	pid_t partner;
	char b = 0;

	CHECK(!pipe(to) && !pipe(from) && !sched_setscheduler(0, SCHED_FIFO, &fifo));
	partner = fork();
	if (!partner) {
		close(to[1]);
		while (read(to[0], &b, 1) == 1)
			CHECK(write(from[1], &b, 1) == 1);
		_exit(0);
	}
	for (i = 0; i < SWITCH_BATCHES; i++) {
		if (i % BATCHES_AT_A_TIME == 0)
			usleep(REST_US);
		t = __rdtsc();
		for (j = 0; j < SWITCHES / 2; j++)
			CHECK(write(to[1], &b, 1) == 1 && read(from[0], &b, 1) == 1);
		s->batch[s->n++] = __rdtsc() - t;
	}
	close(to[1]);
	waitpid(partner, NULL, 0);
	close(to[0]);
	close(from[0]);
	close(from[1]);
	CHECK(!sched_setscheduler(0, SCHED_OTHER, &other));
}

/* Compilers give some another ending. */
static unsigned long function(const char *name)
{
	unsigned long addr = symbol(name);
	char other[64];

	snprintf(other, sizeof(other), "%s.isra.0", name);
	addr = addr ? addr : symbol(other);
	CHECK(addr);
	return addr;
}

/*
 * What others pay while system calls of one process are recorded: at a read, and at a switch, with that process in the view and
 * without in turns.
 */
void cost_recorded(struct worker *a, double base)
{
	static const char *const tracepoints[] = { "sys_enter", "sys_exit", "sched_switch" };
	static const char *const entries[] = { "finish_task_switch", "exit_mm_release", "calculate_sigpending" };
	static struct switches before, during;
	double read = 1e9, switched;
	struct kview_view *v = view();
	struct kview_set *sets[ARRAY_SIZE(tracepoints) + ARRAY_SIZE(entries)];
	struct kview_attachment *att;
	size_t i, n = 0;

	for (i = 0; i < ARRAY_SIZE(tracepoints); i++) {
		sets[n] = tracepoint(v, tracepoints[i]);
		CHECK_OK(kview_set__add_prog(sets[n++], bpf_prog_count(PROG_RAW_TRACEPOINT, bpf_map(), 0), 0, NULL));
	}
	for (i = 0; i < ARRAY_SIZE(entries); i++) {
		uint64_t addr = function(entries[i]);

		sets[n] = kview_view__add_addresses(v, &addr, 1, NULL);
		CHECK(sets[n]);
		CHECK_OK(kview_set__add_prog(sets[n++], bpf_prog_count(PROG_KPROBE, bpf_map(), 0), 0, NULL));
	}
	for (i = 0; i < ROUNDS; i++) {
		measure_switches(&before);
		att = attach(v, a->pid, 0);
		read = least(read, cost_of_read());
		measure_switches(&during);
		kview_attachment__free(att);
	}
	result((long)(read + 0.5) == (long)(base + 0.5), "cost-untraced-recorded", "%.0f (%+.0f)", read, read - base);
	switched = median(&during) - median(&before);
	result(!switched, "cost-untraced-recorded-switch", "%.1f (%+.1f)", median(&during), switched);
	while (n)
		kview_set__free(sets[--n]);
	kview_view__free(v);
}
