/* SPDX-License-Identifier: GPL-2.0 */
/* Reads what a mechanism's eBPF programs count, while they go on counting. */
#ifndef KVIEW_FIGURES_H
#define KVIEW_FIGURES_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mechanism/bpf/conditions.h"
#include "mechanism/bpf/figures.h"
#include "mechanism/bpf/splits.h"

/* Calls of a function that may have found cold caches, until it was last looked at. */
struct figures_cold {
	uint64_t looked_ns, ended, cold;
};

/* Counters, mapped read-only while the eBPF programs write; see bpf/figures.h for the index. */
struct figures {
	const struct xp_calls *calls;
	const struct xp_total *totals;
	const struct xp_buckets *buckets;
	const uint64_t *failed;		/* see figures__failed(); NULL: they return no error numbers */
	const struct xp_cost *costs;	/* of XP_COST_CLASSES, which calls are corrected by */
	uint32_t slots;
	uint32_t functions;		/* spare ones included */
	/* Waits that were removed as the probes' need not have been theirs, see preemption.h. */
	bool waits_may_be_its_own;
	/* A thread can't be in two calls at a time: what is not counted as never_begun began before the recording. */
	bool strays_began_before;
	/* Each end that no begin was seen of is told. */
	bool strays_are_told;
	uint32_t metrics;		/* that are measured, 1 << enum xp_metric each */
	/* By function, but for the spare ones: which calls are measured; NULL: all. */
	const struct xp_condition *conditions;
	const struct xp_split *splits;	/* by function, but for the spare ones: by what its figures are split; NULL: by nothing */
	const struct xp_split_table *split_tables;
	uint32_t measured;		/* what is counted beside time, 1 << enum xp_measure each; 0: nothing */
	uint32_t first_quantities;	/* then: the first function's place of that, see bpf/measures.h */
	struct figures_cold *cold;	/* by function, see figures__begin(); NULL: any call may have found cold caches */
};

/* Where the figures of one point are. */
struct point_figures {
	const struct figures *figures;
	size_t function;		/* the point's index there */
};

/*
 * From now on calls are counted, by the agent's clock: what they cost depends on how often they come, which is seen by looking
 * at them.  Returns 0, or -1 without memory; figures__end() frees it.
 */
int figures__begin(struct figures *counts, uint64_t now_ns);
void figures__end(struct figures *counts);
/* How many bytes of kernel memory one slot for this number of functions takes. */
uint64_t figures__slot_bytes(size_t functions);
/* The index in calls; times XP_SETS it is the first index in totals and buckets. */
size_t figures__index(const struct figures *counts, uint32_t slot, size_t function);
/* How many places a metric is counted in, and the index of one in totals and buckets. */
uint32_t figures__places(const struct figures *counts, int metric);
size_t figures__place(const struct figures *counts, size_t function, int metric, uint32_t place);
/*
 * Sums of a function over all slots; calls is read last.  removed_ns, uncertain_ns and cost_ns
 * already include the parts that follow from the classes of its calls.
 */
struct xp_calls figures__calls(const struct figures *counts, size_t function);
/*
 * The part of cost_ns that ended calls took.  The rest was taken by passed sites and by calls that
 * were abandoned or lost.
 */
uint64_t figures__ended_ns(const struct figures *counts, size_t function);
/* Sums of one metric, and the greatest. */
struct xp_total figures__total(const struct figures *counts, size_t function, int metric);
/* Whether anything was counted at a place; its total and buckets may be looked at then. */
bool figures__is_used(const struct figures *counts, size_t function, int metric, uint32_t place);
/* Calls that were lost, in all the ways. */
uint64_t figures__lost(const struct xp_calls *calls);
/* Calls that have no fate yet, if so many are timed, which were read before them; negative: there are more fates than calls. */
int64_t figures__open(const struct xp_calls *calls, uint64_t timed);
/* Calls that failed and are counted at a place, an XP_FAILED_PLACE. */
uint64_t figures__failed(const struct figures *counts, size_t function, uint32_t place);
/* Calls that ended: the count of XP_WALL and of XP_ON_CPU. */
uint64_t figures__timed(const struct figures *counts, size_t function);

/* The maps that waits are counted in, see bpf/waits.h. */
struct wait_maps {
	int waits_fd;		/* struct xp_wait by struct xp_wait_key */
	int others_fd;		/* by function and cause: what found no place there */
	int stacks_fd, files_fd, user_stacks_fd;	/* struct xp_wait_stack and so on, by their numbers */
	int code_fd;		/* struct xp_code: to be filled, before the first wait and when the process maps more */
};

#endif
