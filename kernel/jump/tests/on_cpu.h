/* SPDX-License-Identifier: GPL-2.0 */
/* Work of known time on CPUs, within functions that are measured. */
#ifndef KVIEW_JUMP_ON_CPU_H
#define KVIEW_JUMP_ON_CPU_H

#include <stdint.h>

/* CLOCK_THREAD_CPUTIME_ID, as it goes on: that also brings the thread's account up to date. */
uint64_t on_cpu__now_ns(void);

/*
 * What one call of o_works has run: at least all within it, at most that and its call too.  Between the readings of the
 * thread's account and the stamps so much time went by at the call's beginning and at its end: what came in there,
 * interrupts and what a hypervisor takes, the stamps do not know yet, and a call is too short by the first, or too long by
 * the second.
 */
struct on_cpu_truth {
	uint64_t inner_ns, outer_ns;
	uint64_t before_ns, after_ns;	/* by the wall's clock */
};

/* How much less, or more, than that is told: 0 where it is neither, or where the stamps do not know. */
double on_cpu__error_ns(const struct on_cpu_truth *truth, double told_ns);

/* Runs work in a call of o_works. */
struct on_cpu_truth on_cpu__call(void (*work)(void));

/*
 * Runs work in so many calls of o_plain, and asks for the thread's time only before the first and after the last: no account
 * is brought up to date but when the scheduler does it.  What the thread has run meanwhile.
 */
uint64_t on_cpu__call_often(void (*work)(void), int calls);

/* Are measured. */
long o_works(void (*work)(void));
long o_plain(void (*work)(void));

void on_cpu__compute(void);	/* some 300 us */
void on_cpu__sleep(void);	/* 1 ms */
void on_cpu__sleep_long(void);	/* 1 s */
void on_cpu__mix(void);		/* both in turn */
void on_cpu__short(void);	/* some us */
void on_cpu__long(void);	/* some ms */

/* Threads that want the processor that this one is pinned to, until they are to end. */
void on_cpu__begin_rivals(void);
void on_cpu__end_rivals(void);

#endif
