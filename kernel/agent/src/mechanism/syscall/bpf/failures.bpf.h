/* SPDX-License-Identifier: GPL-2.0 */
/* System calls that fail, counted by their errors. */
#ifndef KVIEW_FAILURES_BPF_H
#define KVIEW_FAILURES_BPF_H

#define EINTR			4

/* The point of rt_sigreturn, which returns what the interrupted code had in that register; or none's. */
__u32 resultless_point;

/* Calls that failed: of each slot and point, by XP_FAILED_PLACE. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, XP_FAILED_PLACES);
	__type(key, u32);
	__type(value, u64);
} failed SEC(".maps");

/* Before the call is counted as ended: who sees that it has, finds how. */
static __always_inline void call__fails(u32 point, s64 result)
{
	u32 key;
	u64 *nr;

	if (result >= 0 || result < -XP_MAX_ERRNO || point == resultless_point)
		return;
	key = slot__index(point) * XP_FAILED_PLACES + XP_FAILED_PLACE(-result);
	nr = bpf_map_lookup_elem(&failed, &key);
	if (nr)
		__sync_fetch_and_add(nr, 1);
}

#endif
