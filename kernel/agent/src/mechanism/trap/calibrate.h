/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What probes cost on this host, measured with a child of the agent's own: functions that
 * do nothing, with each kind of entry, exit and passed site, called over and over: with warm
 * caches, and with caches that were used for something else between the calls.
 *
 * Other programs disturb the measurement, so it is repeated in rounds until most of them agree, see
 * estimate.h.  If that takes too long, the best values so far are used, and count as not settled.
 */
#ifndef KVIEW_CALIBRATE_H
#define KVIEW_CALIBRATE_H

#include "base/error.h"
#include "mechanism/trap/cost_range.h"
#include "mechanism/trap/noise.h"
#include "mechanism/trap/xprobe.h"

/* A bit for each class, XP_COST_CALL() and XP_COST_PASS(). */
#define CALIBRATE_BIT(class)	(1U << (class))
#define CALIBRATE_ALL		((1U << XP_COST_CLASSES) - 1)

struct calibration {
	uint32_t measured;	/* classes whose cost is known, by CALIBRATE_BIT */
	/* Those of them whose rounds agreed, with warm and with cold caches. */
	uint32_t settled;
	struct xp_cost costs[XP_COST_CLASSES];
	struct xp_once step_page;	/* what it costs to have the kernel make it */
	/*
	 * How far measured costs differed from costs: during calibration, and until
	 * calibrate__check.
	 */
	struct cost_range range, range_until_check;
	/* The further difference if many threads hit probes at once. */
	struct cost_range crowd;
	unsigned int crowd_threads;	/* how many threads did so in the measurement */
	struct noise noise;
	/* What a context switch costs, and a thread before its first call; for the bill alone. */
	double switch_ns[XP_SWITCH_KINDS], thread_ns;
	/* How much more the first call of a function in a thread costs at most. */
	double first_call_ns;
	char note[512];		/* one sentence where not all that was wanted is settled */
};

/* The classes that a function's probes use, all of its sites' as well. */
uint32_t calibrate__classes_of(const struct fn_function *function);
/* The classes that have to be measured to divide a call's cost between its entry and its end. */
uint32_t calibrate__parts_of(const struct fn_function *function);
/* The class of a function's calls with their dearest end. */
uint32_t calibrate__dearest_of(const struct fn_function *function);

/*
 * Measures classes with xprobe, which must not be attached, and its spare functions, and
 * tells it the costs.  Takes about a fifth of a second, three times that where the machine
 * is not at rest.  Returns 0, or -1 with error filled; costs are then all 0.
 */
int calibrate__probes(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration,
		      struct error *error);

/*
 * Measures the subtracted costs again.  Classes whose cost has changed are no longer settled, and
 * the note says so.  This sets the costs in the xprobe to 0, so the last figures have to be read
 * before.
 */
void calibrate__check(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration);
/*
 * By how much removed_ns may be wrong: the uncertain_ns of its calls, widened by what the check saw
 * and by random disturbances.  is_crowd: more than one thread hit probes, possibly at the same
 * time, so it is widened for that as well.
 */
uint64_t calibration__uncertain_ns(const struct calibration *calibration, uint64_t removed_ns,
				   uint64_t uncertain_ns, bool is_crowd);
/* The cost of the counted context switches, and of making the state of this number of threads. */
uint64_t calibration__beside_ns(const struct calibration *calibration, const struct xp_switches *switches,
				uint64_t threads);
/* From now on charges the mean of the cost for one thread and the cost for many threads at once. */
void calibration__charge_crowd(struct calibration *calibration, struct xprobe *xprobe);

/* Divides the costs of calls between entries and ends. */
void calibration__split_all(struct calibration *calibration);

/* Takes over the costs that another calibration measured. */
void calibration__learn(struct calibration *calibration, const struct calibration *other);

/*
 * How much longer the eBPF programs at the scheduler's tracepoints make a context switch of an
 * untraced process. Returns 0 or -1.
 */
int calibrate__switches(struct xprobe *xprobe, uint64_t *cost_ns, struct error *error);

#endif
