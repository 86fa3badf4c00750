// SPDX-License-Identifier: GPL-2.0
#include <bpf/bpf.h>

#include "mechanism/unseen.h"

void unseen__lose_calls(const struct figures *counts, int calls)
{
	uint32_t function;

	for (function = 0; function < counts->functions; function++) {
		struct xp_calls sum = figures__calls(counts, function), first_slot;
		int64_t left = figures__open(&sum, figures__timed(counts, function));

		if (left <= 0)
			continue;
		first_slot = counts->calls[figures__index(counts, 0, function)];
		first_slot.lost[XP_LOST_END_UNSEEN] += left;
		bpf_map_update_elem(calls, &function, &first_slot, BPF_EXIST);
	}
}
