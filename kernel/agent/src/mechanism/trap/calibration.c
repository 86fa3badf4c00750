// SPDX-License-Identifier: GPL-2.0
/* What follows from a calibration that was made. */
#include "mechanism/trap/calibrate.h"

/* 0: not known. */
static uint64_t calibration__pass_ns(const struct calibration *calibration,
				     enum xp_exit_class class)
{
	return class == XP_EXIT_URETPROBE ? 0 : calibration->costs[XP_COST_PASS(class)].call_ns;
}

/*
 * What a call's entry takes.  Neither the entry nor the end does less than a site of its kind
 * that is passed: between these two it lies.  With cold caches all that a call costs more may be
 * the entry's.
 */
static void calibration__split(struct calibration *calibration, enum xp_entry_class entry,
			       enum xp_exit_class exit)
{
	struct xp_cost *cost = &calibration->costs[XP_COST_CALL(entry, exit)];
	uint64_t least_ns = calibration__pass_ns(calibration, entry == XP_ENTRY_EMULATED ?
						 XP_EXIT_EMULATED : XP_EXIT_STEPPED);
	uint64_t end_ns = calibration__pass_ns(calibration, exit);
	uint64_t most_ns = cost->call_ns > end_ns ? cost->call_ns - end_ns : 0;

	if (!cost->call_ns)
		return;
	if (least_ns > cost->call_ns)
		least_ns = cost->call_ns;
	cost->entry_ns = (least_ns + most_ns) / 2;
	cost->entry_spread_ns = (least_ns > most_ns ? least_ns - most_ns : most_ns - least_ns) / 2 +
				cost->call_spread_ns;
}

void calibration__split_all(struct calibration *calibration)
{
	int i;

	for (i = 0; i < XP_COST_CALLS; i++)
		calibration__split(calibration, i / XP_EXIT_CLASSES, i % XP_EXIT_CLASSES);
}

void calibration__learn(struct calibration *calibration, const struct calibration *other)
{
	uint32_t class;

	for (class = 0; class < XP_COST_CLASSES; class++)
		if (other->measured & CALIBRATE_BIT(class))
			calibration->costs[class] = other->costs[class];
	calibration->measured |= other->measured;
	calibration->settled = (calibration->settled & ~other->measured) | other->settled;
}

void calibration__charge_crowd(struct calibration *calibration, struct xprobe *xprobe)
{
	uint8_t class;

	for (class = 0; class < XP_COST_CLASSES; class++) {
		calibration->costs[class].likely_ns *= (1 + calibration->crowd.highest) / 2;
		xprobe__set_cost(xprobe, class, calibration->costs[class]);
	}
}

uint64_t calibration__uncertain_ns(const struct calibration *calibration, uint64_t removed_ns,
				   uint64_t uncertain_ns, bool is_crowd)
{
	struct cost_range range = calibration->range;
	uint64_t range_ns;

	if (is_crowd)
		range.highest *= calibration->crowd.highest;
	range_ns = cost_range__widened(&calibration->range_until_check, &range, removed_ns, uncertain_ns);
	return noise__beside(&calibration->noise, removed_ns, range_ns);
}

uint64_t calibration__beside_ns(const struct calibration *calibration, const struct xp_switches *switches,
				uint64_t threads)
{
	double ns = threads * calibration->thread_ns;
	int kind;

	for (kind = 0; kind < XP_SWITCH_KINDS; kind++)
		ns += switches->nr[kind] * calibration->switch_ns[kind];
	return ns;
}
