/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the architectures differ in the registers of a probe.  Those of a thread in the kernel: regs.bpf.h.
 */
#ifndef KVIEW_ARCH_BPF_H
#define KVIEW_ARCH_BPF_H

#if defined(__TARGET_ARCH_x86)

#define REGS_FLAGS(ctx)		((ctx)->eflags)
/* A return probe runs once the return address was taken off the stack. */
#define REGS_SP_BEFORE_RETURN(ctx)	(PT_REGS_SP(ctx) - 8)

/* Where the function that a thread has just entered, with this sp, returns to. */
static __always_inline u64 return_address(struct task_struct *task, u64 sp)
{
	u64 address = 0;

	bpf_probe_read_user(&address, sizeof(address), (void *)sp);
	return address;
}

/* What lies on the stack where a call that entered with this sp finds its way back; false: unknown. */
static __always_inline bool return_slot__read(u64 sp, u64 *address)
{
	return !bpf_probe_read_user(address, sizeof(*address), (void *)sp);
}

/* Whether flags meet the low nibble of a Jcc: its last bit negates. */
static __noinline bool flags__meet(u64 flags, u32 condition)
{
	bool carry = flags & 1, parity = flags & 4, zero = flags & 0x40, sign = flags & 0x80;
	bool overflow = flags & 0x800, met;

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

#elif defined(__TARGET_ARCH_arm64)

#define REGS_FLAGS(ctx)		(((struct user_pt_regs *)(ctx))->pstate)
/* The return address was in a register. */
#define REGS_SP_BEFORE_RETURN(ctx)	PT_REGS_SP(ctx)

static __always_inline u64 return_address(struct task_struct *task, u64 sp)
{
	return ((struct pt_regs *)bpf_task_pt_regs(task))->regs[30];
}

/* Each function keeps it elsewhere. */
static __always_inline bool return_slot__read(u64 sp, u64 *address)
{
	return false;
}

/* As instructions have the condition: the last bit negates, but for "always". */
static __noinline bool flags__meet(u64 flags, u32 condition)
{
	bool negative = flags & 1ULL << 31, zero = flags & 1ULL << 30;
	bool carry = flags & 1ULL << 29, overflow = flags & 1ULL << 28, met;

	switch (condition >> 1) {
	case 0: met = zero; break;
	case 1: met = carry; break;
	case 2: met = negative; break;
	case 3: met = overflow; break;
	case 4: met = carry && !zero; break;
	case 5: met = negative == overflow; break;
	case 6: met = negative == overflow && !zero; break;
	default: return true;
	}
	return condition & 1 ? !met : met;
}

/* The context takes constant offsets only, and the stack has no room for all of them. */
static __noinline u64 regs__by_number(struct pt_regs *context, u32 number)
{
	const volatile struct user_pt_regs *ctx = (void *)context;

#define REG(n)	case n: return ctx->regs[n]
	switch (number) {
	REG(0); REG(1); REG(2); REG(3); REG(4); REG(5); REG(6); REG(7); REG(8); REG(9);
	REG(10); REG(11); REG(12); REG(13); REG(14); REG(15); REG(16); REG(17); REG(18); REG(19);
	REG(20); REG(21); REG(22); REG(23); REG(24); REG(25); REG(26); REG(27); REG(28); REG(29);
	REG(30);
	default: return 0;
	}
#undef REG
}

#else
#error "no such architecture"
#endif

#endif
