/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms and call counts, as the agent's struct figures reads them.  eBPF programs may be
 * preempted, and CPUs share slots: everything is counted atomically.
 */
#ifndef KVIEW_FIGURES_BPF_H
#define KVIEW_FIGURES_BPF_H

#include "bucket.h"

/* Set before load, with the sizes of the maps. */
volatile const __u32 nr_functions = 1;
volatile const __u32 slot_mask;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_calls);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_total);
} totals SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_buckets);
} buckets SEC(".maps");

static __always_inline u32 slot__index(u32 function)
{
	return (bpf_get_smp_processor_id() & slot_mask) * nr_functions + function;
}

static __always_inline struct xp_calls *calls__of(u32 function)
{
	u32 key = slot__index(function);

	return bpf_map_lookup_elem(&calls, &key);
}

#define calls__add(function, field) do {				\
	struct xp_calls *calls_ = calls__of(function);			\
	if (calls_)							\
		__sync_fetch_and_add(&calls_->field, 1);		\
} while (0)

#define calls__lose(function, way)	calls__add(function, lost[way])

static __always_inline void max__update(u64 *max, u64 value)
{
	u64 seen = READ_ONCE(*max), before;
	int try;

	for (try = 0; try < 16 && seen < value; try++) {
		before = __sync_val_compare_and_swap(max, seen, value);
		if (before == seen)
			return;
		seen = before;
	}
}

/*
 * is_ended: for an ended call total->count is not used.  The caller counts the call in
 * xp_calls.ended after this, so a reader that sees the count finds the values here.
 */
static __always_inline void metric__count(u32 index, u64 value, bool is_ended)
{
	struct xp_total *total = bpf_map_lookup_elem(&totals, &index);
	struct xp_buckets *histogram = bpf_map_lookup_elem(&buckets, &index);
	u32 bucket = BOUND(bucket__of(value), 1023);

	if (!total || !histogram || bucket >= XP_BUCKETS)
		return;
	__sync_fetch_and_add(&histogram->count[bucket], 1);
	__sync_fetch_and_add(&total->total_ns, value);
	max__update(&total->max_ns, value);
	if (!is_ended)
		__sync_fetch_and_add(&total->count, 1);
}

#endif
