// SPDX-License-Identifier: GPL-2.0
/* What a set has counted. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "set.h"
#include "tally.h"

/* Before hits are read: a hook may have counted one, and be about to take it back (switch.c). */
void kview_set_settle(struct kview_set *set)
{
	if (smp_load_acquire(&set->settling))
		cond_synchronize_rcu(READ_ONCE(set->settled_from));
}

/* Counters of sites of one chunk, of one CPU or, with -1, of all. */
void kview_set_hits(const struct kview_set *set, u32 first, u32 n, int cpu, u64 *sum)
{
	const u64 __percpu *hits = set->hits[first / KVIEW_HITS_CHUNK];
	unsigned int c;
	u32 i;

	memset(sum, 0, n * sizeof(*sum));
	for_each_possible_cpu(c) {
		const u64 *mine = per_cpu_ptr(hits, c) + first % KVIEW_HITS_CHUNK;

		for (i = 0; i < n && (cpu < 0 || cpu == c); i++)
			sum[i] += READ_ONCE(mine[i]);
	}
}

u64 kview_set_lost(const struct kview_set *set, enum kview_loss why)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < set->nsites; i++)
		sum += atomic64_read(&set->lost[i * KVIEW_LOSS_KINDS + why]);
	return sum;
}
