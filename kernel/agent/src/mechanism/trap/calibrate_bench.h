/* SPDX-License-Identifier: GPL-2.0 */
/* The child of calibration with probes on it. */
#ifndef KVIEW_CALIBRATE_BENCH_H
#define KVIEW_CALIBRATE_BENCH_H

#include "mechanism/trap/calibrate_child.h"
#include "mechanism/trap/noise.h"
#include "mechanism/trap/xprobe.h"

struct bench {
	struct xprobe *xprobe;
	struct calibrate_child child;
	uint32_t classes;	/* that are probed, by CALIBRATE_BIT */
	uint32_t first_function;
	double plain_ns[XP_COST_CLASSES][CACHES];
	/* The first call that steps, or whose return address is replaced, and of which class. */
	double first_ns;
	uint8_t first_class;	/* XP_COST_CLASSES: there is none */
	double once_ns[XP_COST_CLASSES];	/* the first call of each other class; 0: not known */
	double first_inner_ns;	/* what the thread's first call of all measured itself */
	/* See calibrate_beside.h: without probes, with them, and of threads that have met one; 0: not known. */
	double bare_switch_ns, switch_ns, followed_switch_ns;
	double bare_thread_ns, thread_ns, calling_thread_ns;
};

/*
 * Starts the child and probes what it has of some classes with xprobe's spare functions.  beside: measures what
 * is paid beside calls, too.  Returns 0, or -1 with error filled and everything closed.
 */
int bench__open(struct bench *bench, struct xprobe *xprobe, uint32_t classes, bool beside,
		struct error *error);
void bench__close(struct bench *bench);
/* Measures what is paid beside calls, where bench__open has without probes: to be repeated, as the lowest counts. */
int bench__beside_calls(struct bench *bench);
/*
 * Takes the probes away and measures what bench__open has without them once more.  A neighbour that came meanwhile
 * made all dearer that was measured with them: so the higher counts, and what is told is rather too little.
 */
void bench__beside_again(struct bench *bench);

/* What a probed call costs in a few batches of them: the middle one. */
struct bench_cost {
	double inner_ns, call_ns;
	/*
	 * And the second highest: a tick of the clock is in one batch, a neighbour in several.
	 * With cold caches, where there are few batches, the same as the middle one.
	 */
	double inner_high_ns, call_high_ns;
};

/* -1: not all calls were seen. */
int bench__measure(const struct bench *bench, uint8_t class, enum calibrate_caches caches,
		   struct bench_cost *cost, struct noise *noise);

/*
 * What a call costs with warm caches, by turns alone and while as many threads as have CPUs call it: of the
 * batches in which the most did, which is how many threads says.  -1: not known.
 */
int bench__crowded(const struct bench *bench, uint8_t class, struct bench_cost *alone,
		   struct bench_cost *crowded, unsigned int *threads);

int bench__unseen(struct error *error);

#endif
