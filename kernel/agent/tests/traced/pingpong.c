// SPDX-License-Identifier: GPL-2.0
/* A byte there and back between two processes on one CPU, again and again; prints how long the shortest batch took for each. */
#include <sched.h>

#include "common.h"

#define BATCHES	20

static int there[2], back[2];

PROBED uint64_t f_trips(int nr)
{
	uint64_t shortest = UINT64_MAX;
	char byte = 0;

	for (int batch = 0; batch < BATCHES; batch++) {
		uint64_t begin = now_ns(CLOCK_MONOTONIC), ns;

		for (int i = 0; i < nr / BATCHES; i++)
			if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
				exit(1);
		ns = (now_ns(CLOCK_MONOTONIC) - begin) / (nr / BATCHES);
		if (ns < shortest)
			shortest = ns;
	}
	END();
	return shortest;
}

/* TRIPS */
int main(int argc, char **argv)
{
	int nr = argc > 1 ? atoi(argv[1]) : 0;
	cpu_set_t one;
	char byte;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (nr < BATCHES || pipe(there) || pipe(back) || sched_setaffinity(0, sizeof(one), &one))
		return 1;
	if (!fork()) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1)
			if (write(back[1], &byte, 1) != 1)
				break;
		_exit(0);
	}
	tell("trip_ns", f_trips(nr));
	fflush(stdout);
	pause();
	return 0;
}
