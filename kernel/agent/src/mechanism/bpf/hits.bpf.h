/* SPDX-License-Identifier: GPL-2.0 */
/* Hits of points, which take no time: how many there are of each, and the time between those of one thread. */
#ifndef KVIEW_HITS_BPF_H
#define KVIEW_HITS_BPF_H

#include "mechanism/bpf/hits.h"
#include "scope.bpf.h"

/* Set before load. */
volatile const __u32 nr_points;
/* Set before load: the programs run in a view of the process. */
volatile const bool in_view;
/* When that process began, so that a later one with its number is another.  Set by an iterator's program. */
__u64 target_began_ns;
__u32 active;

/*
 * A thread by its task's address, which no other task has before this one is freed.  A view does not see when that is, so
 * there by when it began as well.
 */
struct interval_key {
	__u64 task;
	__u64 began_ns;
	__u32 point;
	__u32 zero;
};

/*
 * When a thread came to a point last.  Made beforehand: what was allocated here would be hits of the process at the
 * allocator's tracepoints.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, HITS_INTERVALS);
	__type(key, struct interval_key);
	__type(value, __u64);
} last_hits SEC(".maps");

static __always_inline void hit__ends(u32 point, u32 class)
{
	struct xp_calls *sums = calls__of(point);

	if (sums)
		__sync_fetch_and_add(&sums->ended[class], 1);
}

/* Nobody comes between: the kernel does not run a program within itself on the same CPU. */
static __always_inline void hit__count(struct task_struct *task, u32 point, u32 class)
{
	struct interval_key key = { .task = (u64)task, .began_ns = in_view ? task->start_boottime : 0, .point = point };
	u64 now_ns = bpf_ktime_get_ns(), before_ns;
	u64 *last_ns = bpf_map_lookup_elem(&last_hits, &key);

	calls__add(point, calls);
	if (last_ns) {
		before_ns = *last_ns;
		*last_ns = now_ns;
		metric__count(slot__index(point) * XP_SETS + XP_BETWEEN,
			      now_ns > before_ns ? now_ns - before_ns : 0, false);
	} else if (bpf_map_update_elem(&last_hits, &key, &now_ns, BPF_ANY)) {
		calls__lose(point, XP_LOST_NO_MEMORY);
		return;
	} else {
		task__comes(task);
	}
	hit__ends(point, class);
}

/* Of a thread of the process that has the number: whether this is still the one that is measured. */
static __always_inline bool is_still_it(struct task_struct *task)
{
	return group__is_measured() || task__plain(task)->group_leader->start_boottime == target_began_ns;
}

/* A thread that ends. */
static __always_inline void hits__forget(struct task_struct *task)
{
	struct interval_key key = { .task = (u64)task, .began_ns = in_view ? task->start_boottime : 0 };
	u32 i;

	for (i = 0; i < HITS_MOST && i < nr_points; i++) {
		key.point = i;
		bpf_map_delete_elem(&last_hits, &key);
	}
}

#endif
