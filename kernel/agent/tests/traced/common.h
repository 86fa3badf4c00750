/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACED_COMMON_H
#define TRACED_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROBED __attribute__((noinline, noclone, used))
/* Keeps a call from becoming a jump, and the frame pointer in a leaf. */
#define END() __asm__ volatile("" : : "r"(__builtin_frame_address(0)) : "memory")

static inline uint64_t now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* What the traced program knows of its own calls, for the test to compare with. */
static inline void tell(const char *name, uint64_t value)
{
	printf("%s %llu\n", name, (unsigned long long)value);
}

static inline uint64_t spin(uint64_t cpu_ns)
{
	uint64_t end = now_ns(CLOCK_THREAD_CPUTIME_ID) + cpu_ns, rounds = 0;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		rounds++;
	return rounds;
}

#endif
