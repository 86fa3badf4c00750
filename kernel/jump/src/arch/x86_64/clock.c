// SPDX-License-Identifier: GPL-2.0
#include "place/clock.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <x86intrin.h>

#define SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

int clock__check(struct error *error)
{
	unsigned int a, b, c, d, extended_c, extended_d;
	char source[32] = "";
	FILE *file = fopen(SOURCE, "re");

	if (file) {
		if (!fgets(source, sizeof(source), file))
			source[0] = 0;
		fclose(file);
	}
	if (strcmp(source, "tsc\n"))
		return error__set(error, ERR_UNSUPPORTED, "The kernel does not keep time by the processor's counter (its clock source is %.20s).",
				  source[0] ? strtok(source, "\n") : "not known");
	if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1u << 8))
		return error__set(error, ERR_UNSUPPORTED, "The processor's counter may change its speed.");
	/* Both are older than most processors, but not all hypervisors show them. */
	if (!__get_cpuid(0x80000001, &a, &b, &extended_c, &extended_d) || !(extended_d & 1u << 27) ||
	    !(extended_c & 1))
		return error__set(error, ERR_UNSUPPORTED, "The processor does not have the instructions rdtscp and lahf.");
	return 0;
}

static uint64_t now_ns(int clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

struct clock_pair clock__now_by(int clock)
{
	struct clock_pair best = { 0 };
	uint64_t least = UINT64_MAX;

	/* That with the least time around it. */
	for (int i = 0; i < 10; i++) {
		uint64_t before = __rdtsc(), ns = now_ns(clock), after = __rdtsc();

		if (after - before >= least)
			continue;
		least = after - before;
		best = (struct clock_pair){ before + least / 2, ns };
	}
	return best;
}

struct clock_pair clock__now(void)
{
	return clock__now_by(CLOCK_MONOTONIC_RAW);
}

uint64_t clock__rate(const struct clock_pair *from, const struct clock_pair *to)
{
	return (double)(to->ns - from->ns) / (to->ticks - from->ticks) * (1ull << 32);
}
