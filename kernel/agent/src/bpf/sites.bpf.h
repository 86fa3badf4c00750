/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the instruction at an exit site, which is about to run, ends the call. */
#ifndef KVIEW_SITES_BPF_H
#define KVIEW_SITES_BPF_H

/* enum fn_site_kind of functions.h, which BPF code can't include. */
#define SITE_RET	0
#define SITE_JUMP_COND	2
#define SITE_JUMP_REG	3

/* An indirect jump leaves the function unless its target is within one of its ranges. */
static __always_inline bool jump__leaves(struct pt_regs *ctx, u64 cookie)
{
	u32 function = XP_COOKIE_FUNCTION(cookie);
	struct xp_function *info = bpf_map_lookup_elem(&functions, &function);
	u64 target;
	int i;

	if (!info)
		return false;
	target = info->address + (s64)XP_COOKIE_OFFSET(cookie) +
		 regs__by_number(ctx, XP_COOKIE_REG(cookie)) -
		 PT_REGS_IP(ctx);
	for (i = 0; i < XP_RANGES; i++)
		if (i < info->nr_ranges && target >= info->ranges[i].start &&
		    target < info->ranges[i].end)
			return false;
	return true;
}

static __always_inline bool site__ends_call(struct pt_regs *ctx, u64 cookie)
{
	switch (XP_COOKIE_KIND(cookie)) {
	case SITE_JUMP_COND:
		return flags__meet(REGS_FLAGS(ctx), XP_COOKIE_CONDITION(cookie));
	case SITE_JUMP_REG:
		return jump__leaves(ctx, cookie);
	default:
		return true;
	}
}

#endif
