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
	bool unmatched;		/* its calls are not measured, as their condition is not true of them */
	double plain_ns[XP_COST_CLASSES][CACHES];
	/* What the first call took that is single-stepped or has its return address replaced; and its class. */
	double first_ns;
	uint8_t first_class;	/* XP_COST_CLASSES: there is none */
	double once_ns[XP_COST_CLASSES];	/* the first call of each other class; 0: not known */
	double first_inner_ns;	/* the time that was measured for the thread's very first call */
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
/*
 * Measures what is paid beside calls with probes, if bench__open has measured it without them.  To be
 * repeated: the lowest result counts.
 */
int bench__beside_calls(struct bench *bench);
/*
 * Removes the probes, and measures once more what bench__open has measured without them.  Another
 * program that started meanwhile may have made everything slower that was measured with probes.  So the
 * higher result counts, and the difference is rather too small than too large.
 */
void bench__beside_again(struct bench *bench);

/* What a probed call costs, from a few batches of calls: the median. */
struct bench_cost {
	double inner_ns, call_ns;
	/*
	 * The second highest: a tick of the clock disturbs one batch, another program several.
	 * With cold caches there are few batches, and this is the median, too.
	 */
	double inner_high_ns, call_high_ns;
};

/* -1: not all calls were seen. */
int bench__measure(const struct bench *bench, uint8_t class, enum calibrate_caches caches,
		   struct bench_cost *cost, struct noise *noise);

/*
 * What a call costs with warm caches, measured in turns: while one thread calls, and while as many
 * threads call as there are CPUs.  Only those batches count in which the most threads really called;
 * threads says how many.  -1: not known.
 */
int bench__crowded(const struct bench *bench, uint8_t class, struct bench_cost *alone,
		   struct bench_cost *crowded, unsigned int *threads);

/* Fills error: the probes did not see the calls.  Returns -1. */
int bench__unseen(struct error *error);

#endif
