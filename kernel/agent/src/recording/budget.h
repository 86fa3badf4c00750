/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of a process's CPU time its probes may take.
 *
 * What they cost is known by function, as counted and calibrated.  If all of it over the last second
 * exceeds the budget, probes come off the most expensive functions until the rest fits the budget
 * of the CPU time that the process then takes.
 *
 * Each function is one mechanism's, and a mechanism costs something beside its functions for as long
 * as any of them has probes.  If that alone exceeds the budget, all functions of the mechanism come off
 * for which it is most, until the rest of it fits.  Where functions of several mechanisms have probes,
 * the dearest comes off first: a function, or all functions of a mechanism for which that is more.
 *
 * More than twice the budget is acted on sooner: of what
 * was spent since the start, or since functions last came off,
 *
 *	10 times the budget	is too much after  50 ms
 *	 5 times		is too much after 100 ms
 *	 2 times		is too much after 250 ms
 *
 * No probes come off while they take less than half a per cent of one CPU, times the factor above
 * for a shorter time.  A process that mostly sleeps so keeps them, whatever their share of its time.
 */
#ifndef KVIEW_BUDGET_H
#define KVIEW_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUDGET_INTERVAL_NS	50000000ULL	/* between two looks */

struct budget;

/* Sums since the recording's start. */
struct budget_look {
	uint64_t now_ns;
	uint64_t process_cpu_ns;	/* the probes' included; 0: not known */
	const uint64_t *cost_ns;	/* by function */
	const uint64_t *beside_ns;	/* by mechanism: no function's */
};

struct budget_opts {
	uint32_t ppm;			/* in millionths; 0: no limit */
	size_t nr_functions, nr_mechanisms;
	const uint32_t *mechanism_of;	/* by function; NULL: all are the first one's */
	uint64_t now_ns;
};

/* NULL: no memory. */
struct budget *budget__new(const struct budget_opts *opts);
void budget__free(struct budget *budget);

/*
 * Looks at what was spent.  Returns how many functions have to come off; they count as off from
 * now on.  functions has room for all.
 */
size_t budget__look(struct budget *budget, const struct budget_look *look, uint32_t *functions);

/* A function did not come off after all: what made it expensive was removed otherwise. */
void budget__restore(struct budget *budget, uint32_t function);

/* The window begins with this look: what was spent before makes nothing come off any more. */
void budget__anew(struct budget *budget, const struct budget_look *look);

/* How many functions are not off. */
size_t budget__left(const struct budget *budget);

/* Where functions came off, by the last look that had any: shares of the process's CPU time. */
double budget__share(const struct budget *budget);
double budget__share_of(const struct budget *budget, uint32_t function);
/* The part of it that a mechanism cost beside its functions. */
double budget__share_beside(const struct budget *budget, uint32_t mechanism);
/* Whether the function came off for what its mechanism cost beside its functions. */
bool budget__is_for_beside(const struct budget *budget, uint32_t function);
double budget__allowed(const struct budget *budget);

#endif
