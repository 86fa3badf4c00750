/* SPDX-License-Identifier: GPL-2.0 */
/* Figures about the module and about one view. */
#ifndef KVIEW_MODULE_STATS_H
#define KVIEW_MODULE_STATS_H

#include <linux/types.h>

struct kview_set;
struct kview_stat;
struct kview_view;
struct kview_view_stat;

/* Takes kview_lock; counters of other CPUs may be a few calls behind. */
void kview_stat_fill(struct kview_stat *st);

/* Under kview_lock.  About how many bytes a set has, without text; shared spots count for each. */
u64 kview_set_memory(const struct kview_set *set);
/* Under kview_lock.  Shared copies of text count for each view that has them. */
void kview_view_stat_fill(struct kview_view *v, struct kview_view_stat *st);

#endif
