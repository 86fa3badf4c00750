/* SPDX-License-Identifier: GPL-2.0 */
/* What a set has counted. */
#ifndef KVIEW_MODULE_TALLY_H
#define KVIEW_MODULE_TALLY_H

#include <linux/types.h>

#include "set.h"

int kview_set_hits(struct kview_set *set, u32 first, u32 n, int cpu, u64 *sum);
u64 kview_set_lost(const struct kview_set *set, enum kview_loss why);

#endif
