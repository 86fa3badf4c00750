/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel does for a process lies within calls of functions and system calls, which other mechanisms of the
 * recording may measure.
 */
#ifndef KVIEW_WITHIN_OTHERS_BPF_H
#define KVIEW_WITHIN_OTHERS_BPF_H

#include "mechanism/cost/bpf/thread-costs.h"

/*
 * Set before load: another mechanism, and one more, measure calls that these eBPF programs are met in, and have states of the
 * threads.  Their times contain what these programs take: that they are longer by as much makes them uncertain.
 */
const volatile bool is_within_others, is_within_more;
/* How much longer a call may take for one of these programs, on average of many. */
__u64 most_ns;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct xp_thread_costs);
} others_threads SEC(".maps"), more_threads SEC(".maps");

/* A thread without a state is in no call of the other mechanism. */
static __always_inline void thread__may_pay_in(void *threads, u64 ns)
{
	struct xp_thread_costs *costs = bpf_task_storage_get(threads, bpf_get_current_task_btf(), NULL, 0);

	if (costs)
		costs->uncertain_ns += ns;
}

static __always_inline void thread__may_pay(u64 ns)
{
	if (is_within_others)
		thread__may_pay_in(&others_threads, ns);
	if (is_within_more)
		thread__may_pay_in(&more_threads, ns);
}

#endif
