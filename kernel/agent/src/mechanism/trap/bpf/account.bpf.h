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

#endif
