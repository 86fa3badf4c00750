/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRACED_COMMON_H
#define TRACED_COMMON_H

#include <fcntl.h>
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

/* How long the thread had to wait for a CPU, and how often it was given one, by the scheduler's own account. */
struct waits {
	unsigned long long ns, runs;
};

static inline struct waits waits__now(void)
{
	static __thread int fd;
	struct waits waits;
	char text[100] = "";

	if (!fd)
		fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	if (pread(fd, text, sizeof(text) - 1, 0) < 0 || sscanf(text, "%*u %llu %llu", &waits.ns, &waits.runs) != 2)
		abort();
	return waits;
}

static inline uint64_t waited_ns(void)
{
	return waits__now().ns;
}

/* Clocks of one moment: the thread did not wait for a CPU between their readings. */
struct moment {
	uint64_t wall, cpu;
	struct waits waits;
};

static inline struct moment moment__now(void)
{
	struct moment now;

	do {
		now.waits = waits__now();
		now.cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
		now.wall = now_ns(CLOCK_MONOTONIC);
	} while (waits__now().runs != now.waits.runs);
	return now;
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
