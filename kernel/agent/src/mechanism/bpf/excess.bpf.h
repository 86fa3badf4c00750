/* SPDX-License-Identifier: GPL-2.0 */
/* Causes of a call that are too long together. */
#ifndef KVIEW_EXCESS_BPF_H
#define KVIEW_EXCESS_BPF_H

/*
 * Causes that add up to more than the call took: what it took is known, and when its switches were
 * may have been rebuilt.  What was most likely made up goes first.
 */
static __always_inline void causes__shorten(struct ending *end, u64 excess)
{
	u64 *preempted = &end->off_ns[XP_PREEMPTED - XP_FIRST_CAUSE], cut;
	int i;

	end->times.excess_ns = excess;
	cut = *preempted < excess ? *preempted : excess;
	*preempted -= cut;
	excess -= cut;
#pragma clang loop unroll(disable)
	for (i = 0; i < XP_CAUSES; i++) {
		cut = end->off_ns[i] < excess ? end->off_ns[i] : excess;
		if (i == XP_STEAL - XP_FIRST_CAUSE)
			cut = 0;
		end->off_ns[i] -= cut;
		excess -= cut;
	}
}

#endif
