// SPDX-License-Identifier: GPL-2.0
/*
 * A function that calls a thousand others of some 50 ns each, and its twin that calls as many which are the same: of these none
 * is probed.  They are called in turn, and what the twin took is told.
 *
 * usage: thousand ROUNDS
 */
#include "common.h"

/* Some 50 ns: each step waits for the one before. */
#define WORK(n) \
	uint64_t y = x + n; \
	for (int i = 0; i < 36; i++) \
		y = y * 0x9e3779b97f4a7c15 + 1; \
	END(); \
	return y
#define WORK_BEFORE() x = x * 0x9e3779b97f4a7c15 + 0x1234567
#define FUNCTION(n) PROBED uint64_t f_##n(uint64_t x) { WORK(n); } PROBED uint64_t t_##n(uint64_t x) { WORK(n); }
#define CALL_F(n) x = f_##n(x);
#define CALL_T(n) x = t_##n(x);
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define HUNDRED(m, n) TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) \
	TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
/* From 1000 on: no number begins with 0. */
#define THOUSAND(m) HUNDRED(m, 10) HUNDRED(m, 11) HUNDRED(m, 12) HUNDRED(m, 13) HUNDRED(m, 14) \
	HUNDRED(m, 15) HUNDRED(m, 16) HUNDRED(m, 17) HUNDRED(m, 18) HUNDRED(m, 19)

THOUSAND(FUNCTION)

/* The first steps make room for a jump before the first call. */
PROBED uint64_t f_caller(uint64_t x) { WORK_BEFORE(); THOUSAND(CALL_F) END(); return x; }
PROBED uint64_t t_caller(uint64_t x) { WORK_BEFORE(); THOUSAND(CALL_T) END(); return x; }

static volatile uint64_t sink;

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;
	uint64_t took_ns = 0, begin_ns, end_ns;

	for (int i = 0; i < rounds; i++) {
		sink += f_caller(i);
		begin_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		sink += t_caller(i);
		end_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
		/* Without what reading the clock takes, which is some percent of it. */
		took_ns += 2 * end_ns - begin_ns - now_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	tell("t_caller.cpu", took_ns);
	return 0;
}
