// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that are the same, so that each can be probed another way: calls them in turn, some hundred
 * times each, and tells what a call cost.  C that never unwinds, so that return probes are used.
 */
#include "common.h"

#define FUNCTION(n) PROBED int f_##n(int x) { END(); return x + n; }

FUNCTION(0) FUNCTION(1) FUNCTION(2) FUNCTION(3) FUNCTION(4) FUNCTION(5)
FUNCTION(6) FUNCTION(7) FUNCTION(8) FUNCTION(9) FUNCTION(10) FUNCTION(11)

static int (*const functions[])(int) = {
	f_0, f_1, f_2, f_3, f_4, f_5, f_6, f_7, f_8, f_9, f_10, f_11,
};

static volatile int sink;

static uint64_t batch(int (*function)(int), int calls)
{
	uint64_t begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);

	for (int i = 0; i < calls; i++)
		sink += function(i);
	return now_ns(CLOCK_THREAD_CPUTIME_ID) - begin_ns;
}

/*
 * FUNCTIONS ROUNDS CALLS: waits for a line of input.  A round calls each of the functions so often, and
 * is one line of output: ns a call, by function.  Each round begins with the next function.
 */
int main(int argc, char **argv)
{
	unsigned int nr = argc > 3 ? atoi(argv[1]) : 0;
	int rounds = argc > 3 ? atoi(argv[2]) : 0, calls = argc > 3 ? atoi(argv[3]) : 0;
	uint64_t took_ns[sizeof(functions) / sizeof(functions[0])];
	char line[16];

	if (!nr || nr > sizeof(functions) / sizeof(functions[0]) || calls < 1 ||
	    !fgets(line, sizeof(line), stdin))
		return 1;
	for (int round = 0; round < rounds; round++) {
		for (unsigned int i = 0; i < nr; i++) {
			unsigned int f = (i + round) % nr;

			took_ns[f] = batch(functions[f], calls);
		}
		for (unsigned int f = 0; f < nr; f++)
			printf("%.1f%c", (double)took_ns[f] / calls, f + 1 < nr ? ' ' : '\n');
	}
	return 0;
}
