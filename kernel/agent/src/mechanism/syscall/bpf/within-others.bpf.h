/* SPDX-License-Identifier: GPL-2.0 */
/* System calls lie within calls of functions, of which another mechanism of the recording may measure some. */
#ifndef KVIEW_WITHIN_OTHERS_BPF_H
#define KVIEW_WITHIN_OTHERS_BPF_H

/*
 * Set before load: another mechanism measures calls that system calls are made in, and has states of the
 * threads.  Their times contain what these eBPF programs take: that they are longer by as much makes
 * them uncertain.
 */
const volatile bool is_within_others;
/* How much longer a call may take, on average of many: one that is measured, and one that is not. */
__u64 most_ns, most_other_ns;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct xp_thread_costs);
} others_threads SEC(".maps");

/* A thread without a state is in no call of the other mechanism. */
static __always_inline void thread__may_pay(u64 ns)
{
	struct xp_thread_costs *costs;

	if (!is_within_others)
		return;
	costs = bpf_task_storage_get(&others_threads, bpf_get_current_task_btf(), NULL, 0);
	if (costs)
		costs->uncertain_ns += ns;
}

#endif
