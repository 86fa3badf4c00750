/* SPDX-License-Identifier: GPL-2.0 */
/* The process whose functions calibration probes; it ends with the agent. */
#ifndef KVIEW_CALIBRATE_CHILD_H
#define KVIEW_CALIBRATE_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "mechanism/trap/calibrate_beside.h"

/* What a batch of calls does between them. */
enum calibrate_caches {
	CACHES_WARM,	/* nothing */
	CACHES_COLD,	/* it walks over more memory than the second-level cache holds */
	CACHES_RESTED,	/* it sleeps: others have the CPU, or nobody */
	CACHES
};

/* How long it sleeps then: longer sleeps make a call no dearer. */
#define CALIBRATE_REST_NS	5000000

/* Asked by a byte for a batch; its answer is the time that the calls took. */
struct calibrate_child {
	pid_t pid;
	int fd;
};

/* What it answers. */
struct calibrate_batch {
	double call_ns;		/* of one call, see below */
	/*
	 * The wall-clock time of all of them, which includes interrupts on that CPU.  0 with cold
	 * caches, and if the child lost its CPU meanwhile.
	 */
	double wall_ns;
	unsigned int threads;	/* that made calls meanwhile, where others were asked to */
};

/* Calls in a batch of a class. */
unsigned int calibrate_child__calls(uint8_t class, enum calibrate_caches caches);

/* Returns 0, or -1 with errno.  To be ended by calibrate_child__end. */
int calibrate_child__start(struct calibrate_child *child);
void calibrate_child__end(struct calibrate_child *child);

/*
 * What a call takes in a batch of them, in ns: their mean CPU time, or with cold caches their
 * median wall-clock time, without the walks and sleeps.  -1 if the child is no more.
 */
int calibrate_child__batch(const struct calibrate_child *child, uint8_t class,
			   enum calibrate_caches caches, struct calibrate_batch *batch);

/* The same with warm caches, while other threads of the child call it as well, see calibrate_crowd.h. */
int calibrate_child__crowded(const struct calibrate_child *child, uint8_t class, struct calibrate_batch *batch);

/* What is paid beside calls, with calls of a class; 0: not known. */
int calibrate_child__beside(const struct calibrate_child *child, uint8_t class,
			    enum calibrate_beside what, double *ns);

/* The CPU time of a single call of a class. */
int calibrate_child__once(const struct calibrate_child *child, uint8_t class, double *call_ns);

#endif
