// SPDX-License-Identifier: GPL-2.0
/* What follows from a calibration that was made. */
#include "mechanism/trap/calibrate.h"

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
