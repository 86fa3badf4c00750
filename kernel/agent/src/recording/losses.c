// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "recording/losses.h"

/*
 * Returns that matched no call which was seen: of calls that began before, unless a counted
 * call can be missing its return.  A call that was lost as its thread had no state is counted, and its return may be here:
 * no more of them than such calls, nor than returns of such threads.
 */
static void losses__add_returns(Kview__Wire__Losses *losses, const struct figures *figures, const struct xp_calls *calls,
				uint64_t timed)
{
	uint64_t no_memory = calls->lost[XP_LOST_NO_MEMORY], lost = figures__lost(calls);
	uint64_t stateless = calls->stateless < no_memory ? calls->stateless : no_memory;
	uint64_t returns = calls->returns > stateless ? calls->returns - stateless : 0;
	uint64_t open = calls->calls > timed + lost ? calls->calls - timed - lost : 0;
	uint64_t never_begun = calls->never_begun > stateless ? calls->never_begun - stateless : 0;
	uint64_t unmatched = figures->strays_are_told ? returns : figures->strays_began_before ? never_begun : returns < open ? returns : open;

	losses->unmatched_returns += unmatched;
	losses->early_returns += returns - unmatched;
}

void losses__of_calls(Kview__Wire__Losses *losses, const struct point_figures *points, size_t nr,
		      bool at_end)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		/* Before the calls: none is timed that is not counted. */
		uint64_t timed = figures__timed(points[i].figures, points[i].function);
		struct xp_calls calls = figures__calls(points[i].figures, points[i].function);

		losses->depth_overflows += calls.lost[XP_LOST_TOO_DEEP];
		losses->untracked_threads += calls.lost[XP_LOST_NO_MEMORY];
		losses__add_returns(losses, points[i].figures, &calls, timed);
		if (at_end)
			losses->unaccounted_calls += llabs(figures__open(&calls, timed));
	}
}
