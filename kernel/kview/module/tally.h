/* SPDX-License-Identifier: GPL-2.0 */
/* What a set has counted. */
#ifndef KVIEW_MODULE_TALLY_H
#define KVIEW_MODULE_TALLY_H

#include <linux/types.h>

#include "set.h"

/*
 * Sums up the counters of sites @first to @first + @n - 1, which lie in one chunk of
 * KVIEW_HITS_CHUNK, of one CPU or, with -1, of all.  The caller holds the set's file, and no lock;
 * while the set is being switched it waits for that.  -EINTR: a signal that kills came meanwhile;
 * @sum is not to be used then.
 */
int kview_set_hits(struct kview_set *set, u32 first, u32 n, int cpu, u64 *sum);
/* Of all sites of the set.  No lock, but the caller holds the set. */
u64 kview_set_lost(const struct kview_set *set, enum kview_loss why);

#endif
