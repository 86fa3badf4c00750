/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the programs of this folder share.  Standard output is the same in each run, with probes
 * or without; standard error is the truth of this run, lines "NAME VALUE".
 */
#ifndef CASES_TRUTH_H
#define CASES_TRUTH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
#define PROBED extern "C" __attribute__((noinline, noclone, used))
#else
#define PROBED __attribute__((noinline, noclone, used))
#endif
/* Keeps a call from becoming a jump. */
#define END() __asm__ volatile("" : : : "memory")

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static inline uint64_t cpu_ns(void) { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
static inline uint64_t wall_ns(void) { return clock_ns(CLOCK_MONOTONIC); }

static inline long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw + usage.ru_nvcsw;
}

/* Steps of the thread's clock that are longer are no reading's. */
#define JUMP_NS 5000

/*
 * Computes for that long by the thread's clock.  Returns by how much of it that clock went on at once without a switch: it
 * was an interrupt's, or was stolen by the hypervisor and charged to the thread, as since Linux 6.14 what is stolen while
 * the kernel looks at its clocks.
 */
static inline uint64_t compute(uint64_t ns)
{
	uint64_t now = cpu_ns(), end = now + ns, jumped = 0, last;
	long before = switches(), after;

	while (now < end) {
		last = now;
		now = cpu_ns();
		if (now - last <= JUMP_NS)
			continue;
		after = switches();
		if (after == before)
			jumped += now - last;
		before = after;
	}
	return jumped;
}

static inline void tell(const char *name, uint64_t value)
{
	fprintf(stderr, "%s %llu\n", name, (unsigned long long)value);
}

#endif
