// SPDX-License-Identifier: GPL-2.0
/* Whether this host's processor and kernel have what jumps need, and what a call costs. */
#include <stdio.h>

#include "mechanism/jump/jump.h"
#include "place/stamp_cost.h"

bool mechanism__has_jumps(char *detail, size_t size)
{
	struct error error = { 0 };
	struct stamp_cost cost;

	if (clock__check(&error) || stamp_cost__measure(&cost, &error)) {
		snprintf(detail, size, "Functions can't be measured by jumps: %.200s", error.message);
		return false;
	}
	snprintf(detail, size, "Functions can be measured by jumps where that is asked for, which writes code into the process: a call takes %.0f ns longer here.",
		 cost.call_ns);
	return true;
}
