/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the instruction at an exit site, which is about to run, ends the call. */
#ifndef KVIEW_SITES_BPF_H
#define KVIEW_SITES_BPF_H

/* enum fn_site_kind of functions.h, which BPF code can't include. */
#define SITE_RET	0
#define SITE_JUMP_COND	2
#define SITE_JUMP_REG	3

enum site_end {
	SITE_PASSES,		/* the call goes on behind it, or elsewhere in its function */
	SITE_LEAVES,
	SITE_LEAVES_TO_PROBED,	/* for a function that is itself measured */
};

/*
 * An indirect jump leaves the function unless its target is within one of its ranges.  A jump
 * to the function's own first instruction counts as leaving, too: it begins another call of
 * the same function.
 */
static __always_inline enum site_end jump__leaves(struct pt_regs *ctx, u64 cookie)
{
	u32 function = XP_COOKIE_FUNCTION(cookie);
	struct xp_function *info = bpf_map_lookup_elem(&functions, &function);
	struct xp_beginning at = { 0 };
	int i;

	if (!info)
		return SITE_PASSES;
	at.file = info->file;
	at.address = info->address + (s64)XP_COOKIE_OFFSET(cookie) +
		     regs__by_number(ctx, XP_COOKIE_REG(cookie)) -
		     PT_REGS_IP(ctx);
	if (bpf_map_lookup_elem(&beginnings, &at))
		return SITE_LEAVES_TO_PROBED;
	for (i = 0; i < XP_RANGES; i++)
		if (i < info->nr_ranges && at.address >= info->ranges[i].start &&
		    at.address < info->ranges[i].end)
			return SITE_PASSES;
	return SITE_LEAVES;
}

static __always_inline enum site_end site__end(struct pt_regs *ctx, u64 cookie)
{
	switch (XP_COOKIE_KIND(cookie)) {
	case SITE_JUMP_COND:
		if (!flags__meet(REGS_FLAGS(ctx), XP_COOKIE_CONDITION(cookie)))
			return SITE_PASSES;
		break;
	case SITE_JUMP_REG:
		return jump__leaves(ctx, cookie);
	default:
		break;
	}
	return XP_COOKIE_AFTER(cookie) == XP_AFTER_PROBED ? SITE_LEAVES_TO_PROBED : SITE_LEAVES;
}

#endif
