// SPDX-License-Identifier: GPL-2.0
/* What a set has counted. */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/string.h>

#include "set.h"
#include "tally.h"
#include "view.h"

static void kview_set_sum(const struct kview_set *set, u32 first, u32 n, int cpu, u64 *sum)
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

/*
 * Counters of sites of one chunk, of one CPU or, with -1, of all.  Without kview_lock: while the
 * set is being switched it waits for that (switch.c), unless a signal kills.
 */
int kview_set_hits(struct kview_set *set, u32 first, u32 n, int cpu, u64 *sum)
{
	/* even: while it stays, no hook takes back what it has counted */
	u32 switches = smp_load_acquire(&set->switches);

	if (!(switches & 1)) {
		kview_set_sum(set, first, n, cpu, sum);
		smp_rmb();
		if (READ_ONCE(set->switches) == switches)
			return 0;
	}
	/* nobody switches it meanwhile, so this is enough, however often others do */
	if (mutex_lock_killable(&set->view->switching))
		return -EINTR;
	kview_set_sum(set, first, n, cpu, sum);
	mutex_unlock(&set->view->switching);
	return 0;
}

u64 kview_set_lost(const struct kview_set *set, enum kview_loss why)
{
	u64 sum = 0;
	u32 i;

	for (i = 0; i < set->nsites; i++)
		sum += atomic64_read(&set->lost[i * KVIEW_LOSS_KINDS + why]);
	return sum;
}
