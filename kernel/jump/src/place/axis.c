// SPDX-License-Identifier: GPL-2.0
#include "place/axis.h"

#include <time.h>

#define APART_NS 1000000

static const struct clock_pair *pair(const struct axis *axis, uint64_t number)
{
	return &axis->pairs[number % AXIS_PAIRS];
}

uint64_t axis__look(struct axis *axis, int in_any_case)
{
	struct clock_pair now = clock__now_by(CLOCK_MONOTONIC);
	const struct clock_pair *last = axis->nr ? pair(axis, axis->nr - 1) : NULL;

	if (!last || ((in_any_case || now.ns - last->ns >= APART_NS) && now.ns > last->ns && now.ticks > last->ticks))
		axis->pairs[axis->nr++ % AXIS_PAIRS] = now;
	return pair(axis, axis->nr - 1)->ticks;
}

uint64_t axis__ns(const struct axis *axis, uint64_t ticks)
{
	uint64_t at = axis->nr - 1, oldest = axis->nr > AXIS_PAIRS ? axis->nr - AXIS_PAIRS : 0;
	const struct clock_pair *from, *to;

	if (at == oldest)
		return pair(axis, at)->ns;
	while (at > oldest + 1 && pair(axis, at - 1)->ticks > ticks)
		at--;
	from = pair(axis, at - 1);
	to = pair(axis, at);
	return from->ns + (int64_t)((double)(int64_t)(ticks - from->ticks) * (to->ns - from->ns) / (to->ticks - from->ticks));
}
