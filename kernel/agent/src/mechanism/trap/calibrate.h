/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What probes cost on this host, measured with a child of the agent's own: functions that
 * do nothing, with each kind of entry, exit and passed site, called over and over: with warm
 * caches, and with caches that were used for something else between the calls.
 *
 * Others use the machine as well: costs are measured in rounds until most of them agree, see
 * estimate.h.  Where that takes too long the costs are the best known, and not settled.
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
	uint32_t settled;	/* those of them that are surely right, warm and cold */
	struct xp_cost costs[XP_COST_CLASSES];
	struct xp_once step_page;	/* what it costs to have the kernel make it */
	/* How far costs were seen from these: when measured, and until the check. */
	struct cost_range range, range_until_check;
	struct cost_range crowd;	/* where many threads meet probes at once, beside that */
	unsigned int crowd_threads;	/* so many did */
	struct noise noise;
	/* What a context switch costs, and a thread before its first call; for the bill alone. */
	double switch_ns[XP_SWITCH_KINDS], thread_ns;
	double first_call_ns;	/* how much more that costs at most, once for each thread and function */
	char note[512];		/* one sentence where not all that was wanted is settled */
};

/* The classes that a function's probes use, all of its sites' as well. */
uint32_t calibrate__classes_of(const struct fn_function *function);
/* And those by which it is told what of a call's cost its entry takes and what its end. */
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
 * Measures again what was subtracted.  Where it costs something else by now the classes
 * are no longer settled, and the note says so.  What was counted has no costs any more then.
 */
void calibrate__check(struct xprobe *xprobe, uint32_t classes, struct calibration *calibration);
/*
 * By how much a sum of what was removed may be wrong: with what its calls have, which is
 * uncertain_ns, and the check saw, and with what comes by chance; is_crowd: and where more than one
 * thread met probes, which may have been at once.
 */
uint64_t calibration__uncertain_ns(const struct calibration *calibration, uint64_t removed_ns,
				   uint64_t uncertain_ns, bool is_crowd);
/* What context switches cost that were counted, and the state of so many threads. */
uint64_t calibration__beside_ns(const struct calibration *calibration, const struct xp_switches *switches,
				uint64_t threads);
/* Where many threads meet probes the middle is charged between one thread's costs and many threads'. */
void calibration__charge_crowd(struct calibration *calibration, struct xprobe *xprobe);

/* Takes over the costs that another calibration measured. */
void calibration__learn(struct calibration *calibration, const struct calibration *other);

/* What the scheduler's programs add to a switch of an untraced process. Returns 0 or -1. */
int calibrate__switches(struct xprobe *xprobe, uint64_t *cost_ns, struct error *error);

#endif
