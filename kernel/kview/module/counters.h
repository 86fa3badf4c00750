/* SPDX-License-Identifier: GPL-2.0 */
/* What is counted for the whole module. */
#ifndef KVIEW_MODULE_COUNTERS_H
#define KVIEW_MODULE_COUNTERS_H

#include <linux/percpu.h>
#include <linux/types.h>

/*
 * Each CPU adds to its own, by one instruction; whoever reads sums over all of them.
 *
 * Calls of hooks that ran no eBPF program, by cause (kview_count_rejected()):
 *	@kthread	a kernel thread's
 *	@irq		in an interrupt
 *	@nested		by tracing itself
 *	@left		of who is in no view, or in one that has no site there
 *	@elsewhere	those of @left in such a view, if no set is switched off at the place
 * And:
 *	@chained	calls that went on to another tracer's hook
 *	@escaped	how often patching code was called by somebody in a view
 */
struct kview_counters {
	u64 kthread, irq, nested, left, elsewhere, chained, escaped;
};

DECLARE_PER_CPU(struct kview_counters, kview_counters);

/* Writes to base text that were repeated, counted once for each copy. */
extern atomic64_t kview_mirrored;

#endif
