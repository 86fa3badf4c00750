// SPDX-License-Identifier: GPL-2.0
#include "recording/losses.h"

static uint64_t lost__sum(const struct xp_calls *calls)
{
	uint64_t sum = 0;
	int way;

	for (way = 0; way < XP_LOST_WAYS; way++)
		sum += calls->lost[way];
	return sum;
}

/*
 * Returns that matched no call which was seen: of calls that began before, unless a counted
 * call can be missing its return.  Who had no state returned without one (or is among those that
 * surely began before, where the process has one stack a thread).
 */
static void losses__add_returns(Kview__Wire__Losses *losses, const struct figures *figures, const struct xp_calls *calls,
				uint64_t timed)
{
	uint64_t stateless = calls->lost[XP_LOST_NO_MEMORY], lost = lost__sum(calls);
	uint64_t returns = calls->returns > stateless ? calls->returns - stateless : 0;
	uint64_t open = calls->calls > timed + lost ? calls->calls - timed - lost : 0;
	uint64_t unmatched = figures->strays_began_before ? 0 : returns < open ? returns : open;

	losses->unmatched_returns += unmatched;
	losses->early_returns += returns - unmatched;
}

void losses__of_calls(Kview__Wire__Losses *losses, const struct point_figures *points, size_t nr,
		      bool at_end)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		/* Before the calls: none is timed that is not counted. */
		uint64_t timed = figures__timed(points[i].figures, points[i].function), explained;
		struct xp_calls calls = figures__calls(points[i].figures, points[i].function);

		losses->depth_overflows += calls.lost[XP_LOST_TOO_DEEP];
		losses->untracked_threads += calls.lost[XP_LOST_NO_MEMORY];
		losses__add_returns(losses, points[i].figures, &calls, timed);
		if (!at_end)
			continue;
		explained = timed + calls.abandoned + calls.unfinished + lost__sum(&calls);
		losses->unaccounted_calls += calls.calls > explained ? calls.calls - explained :
					     explained - calls.calls;
	}
}
