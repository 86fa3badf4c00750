// SPDX-License-Identifier: GPL-2.0
#include "mechanism/trap/cost_range.h"
#include "mechanism/trap/estimate.h"

void cost_range__see(struct cost_range *range, double ns, double used_ns)
{
	if (used_ns <= 0 || estimate__agree(ns, used_ns))
		return;
	if (ns > used_ns * range->highest)
		range->highest = ns / used_ns;
	if (ns < used_ns * range->lowest)
		range->lowest = ns > 0 ? ns / used_ns : 0;
}

double cost_range__spread(const struct cost_range *range, double warm_ns, double cold_ns,
			  double cold_highest_ns)
{
	double dearest_ns = (cold_ns > warm_ns ? cold_ns : warm_ns) * range->highest;

	if (cold_highest_ns > dearest_ns)
		dearest_ns = cold_highest_ns;
	return dearest_ns - warm_ns;
}

uint64_t cost_range__widened(const struct cost_range *before, const struct cost_range *after,
			     uint64_t removed_ns, uint64_t uncertain_ns)
{
	double most_ns = ((double)removed_ns + uncertain_ns) * (after->highest / before->highest);
	double above_ns = most_ns - removed_ns, below_ns = removed_ns * (1 - after->lowest);
	double wider_ns = above_ns > below_ns ? above_ns : below_ns;

	return wider_ns > uncertain_ns ? wider_ns : uncertain_ns;
}
