// SPDX-License-Identifier: GPL-2.0
/* How deep the calls of threads are nested that stamps tell of: of threads that end within calls, and of others that have their numbers then. */
#include <stdio.h>
#include <stdlib.h>

#include "mechanism/jump/told_threads.h"

#define STACK 0x7f0000000000ull
#define FRAME 64

static void check(const char *name, bool good)
{
	printf("%s %s\n", good ? "ok" : "not ok", name);
}

int main(void)
{
	struct told_threads *threads = told_threads__new();
	const struct told_id first = { 100, 7 }, next = { 100, 8 }, unsure = { 100, 0 };
	uint64_t begin_ns = 0;
	uint32_t depth = 9;
	bool good;

	if (!threads)
		return 1;
	good = told_threads__enter(threads, first, STACK, 1, 10) == 0 && told_threads__enter(threads, first, STACK - FRAME, 2, 20) == 1;
	check("calls within calls are as deep", good);
	good = told_threads__enter(threads, next, STACK - 2 * FRAME, 3, 30) == 0;
	check("those that a thread ended in enclose none of the next one with its number", good);
	good = !told_threads__leave(threads, next, STACK - FRAME, 2, &depth, &begin_ns);
	check("and end with it", good);
	good = told_threads__enter(threads, unsure, STACK - 3 * FRAME, 4, 40) == 1;
	check("where it is not known which of them it is, it is the last one", good);
	good = told_threads__leave(threads, next, STACK - 3 * FRAME, 4, &depth, &begin_ns) && depth == 1 && begin_ns == 40 &&
	       told_threads__leave(threads, next, STACK - 2 * FRAME, 3, &depth, &begin_ns) && depth == 0 && begin_ns == 30;
	check("calls end as deep as they began", good);
	told_threads__by_base(threads, 0x1000, next);
	good = told_threads__by_base(threads, 0x1000, (struct told_id){ 0, 0 }).born == 8 && !told_threads__by_base(threads, 0x2000, (struct told_id){ 0, 0 }).tid;
	check("who is known by an FS base alone is the thread that had it last", good);
	told_threads__free(threads);
	return 0;
}
