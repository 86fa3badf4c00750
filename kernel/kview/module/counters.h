/* SPDX-License-Identifier: GPL-2.0 */
/* What is counted for the whole module. */
#ifndef KVIEW_MODULE_COUNTERS_H
#define KVIEW_MODULE_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>

struct kview_counters {
	u64 kthread, irq, nested, left, elsewhere, chained, escaped;
};

DECLARE_PER_CPU(struct kview_counters, kview_counters);
extern atomic64_t kview_mirrored;

#endif
