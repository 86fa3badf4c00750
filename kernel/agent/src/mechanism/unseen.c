// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>

#include "mechanism/unseen.h"

static uint64_t calls__left(const struct figures *counts, size_t function)
{
	struct xp_calls sum = figures__calls(counts, function);
	uint64_t told = figures__timed(counts, function) + sum.abandoned + sum.unfinished;
	int way;

	for (way = 0; way < XP_LOST_WAYS; way++)
		told += sum.lost[way];
	return sum.calls > told ? sum.calls - told : 0;
}

void unseen__lose_calls(const struct figures *counts, int calls)
{
	uint32_t function;

	for (function = 0; function < counts->functions; function++) {
		uint64_t left = calls__left(counts, function);
		struct xp_calls first_slot;

		if (!left)
			continue;
		first_slot = counts->calls[figures__index(counts, 0, function)];
		first_slot.lost[XP_LOST_END_UNSEEN] += left;
		bpf_map_update_elem(calls, &function, &first_slot, BPF_EXIST);
	}
}
