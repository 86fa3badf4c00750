/* SPDX-License-Identifier: GPL-2.0 */
/* What a call begins with: by which it is chosen, and its figures are split. */
#ifndef KVIEW_ARGUMENTS_BPF_H
#define KVIEW_ARGUMENTS_BPF_H

#define ARGUMENTS_OF(ctx)	{ PT_REGS_PARM1(ctx), PT_REGS_PARM2(ctx), PT_REGS_PARM3(ctx), PT_REGS_PARM4(ctx),	\
				  PT_REGS_PARM5(ctx), PT_REGS_PARM6(ctx) }

/* Its values are in a frame of their own: the programs' has no room for them. */
static __noinline u32 condition__at_entry(struct pt_regs *ctx, u32 function)
{
	struct xp_values values = { .of = ARGUMENTS_OF(ctx) };

	return condition__at_entry_of(function, &values);
}

static __noinline u64 split__at_entry(struct pt_regs *ctx, u32 function)
{
	const struct xp_values values = { .of = ARGUMENTS_OF(ctx) };

	return split__argument(function, &values);
}

#endif
