/* SPDX-License-Identifier: GPL-2.0 */
/* Whether the instruction at an exit site, which is about to run, ends the call. */
#ifndef KVIEW_SITES_BPF_H
#define KVIEW_SITES_BPF_H

/* enum fn_site_kind of functions.h, which BPF code can't include. */
#define SITE_JUMP_COND	2
#define SITE_JUMP_REG	3

static __noinline bool flags__meet(u64 flags, u32 condition)
{
	bool carry = flags & 1, parity = flags & 4, zero = flags & 0x40, sign = flags & 0x80;
	bool overflow = flags & 0x800, met;

	/* The low nibble of an x86 Jcc: its last bit negates. */
	switch (condition >> 1) {
	case 0: met = overflow; break;
	case 1: met = carry; break;
	case 2: met = zero; break;
	case 3: met = carry || zero; break;
	case 4: met = sign; break;
	case 5: met = parity; break;
	case 6: met = sign != overflow; break;
	default: met = zero || sign != overflow; break;
	}
	return condition & 1 ? !met : met;
}

/* By number, as instructions have it.  The context itself takes constant offsets only. */
static __noinline u64 regs__by_number(struct pt_regs *ctx, u32 number)
{
	const volatile u64 regs[16] = {
		ctx->rax, ctx->rcx, ctx->rdx, ctx->rbx, ctx->rsp, ctx->rbp, ctx->rsi, ctx->rdi,
		ctx->r8, ctx->r9, ctx->r10, ctx->r11, ctx->r12, ctx->r13, ctx->r14, ctx->r15,
	};

	return regs[BOUND(number, 15)];
}

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
		 regs__by_number(ctx, XP_COOKIE_REG(cookie)) - ctx->rip;
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
		return flags__meet(ctx->eflags, XP_COOKIE_CONDITION(cookie));
	case SITE_JUMP_REG:
		return jump__leaves(ctx, cookie);
	default:
		return true;
	}
}

#endif
