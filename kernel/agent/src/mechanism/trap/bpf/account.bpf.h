/* SPDX-License-Identifier: GPL-2.0 */
/* What the functions of a recording are, and how a call of theirs is counted. */
#ifndef KVIEW_ACCOUNT_BPF_H
#define KVIEW_ACCOUNT_BPF_H

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct xp_function);
} functions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, struct xp_beginning);
	__type(value, u8);
} beginnings SEC(".maps");

/* Whether its probes came off: then nobody can tell how a call went on. */
static __always_inline bool function__is_off(u32 function)
{
	struct xp_function *info = bpf_map_lookup_elem(&functions, &function);

	return info && info->probes_off;
}

__noinline int metric__add(__u32 index, __u64 value)
{
	metric__count(index, value, false);
	return 0;
}

static __always_inline void times__add(const struct times *times, const u64 *off_ns, u32 function)
{
	u32 index = slot__index(function) * XP_SETS;
	int i;

	if (!times->causes) {
		metric__count(index + XP_UNDIVIDED, times->wall_ns, true);
		return;
	}
	for (i = 0; i < XP_CAUSES; i++)
		if (off_ns[i])
			metric__add(index + XP_FIRST_CAUSE + i, off_ns[i]);
	metric__add(index + XP_WALL, times->wall_ns);
	metric__add(index + XP_ON_CPU, times->on_cpu_ns);
}

#endif
