/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page that the kernel makes for a process with the first probe that needs it.  There it
 * steps instructions, and there replaced return addresses lead:
 *
 *	first step				the page is made, and touched
 *	first return address replaced		it is made
 *	first return to a replaced one		it is touched, before the program there runs
 *
 * That costs tens of µs once, in whatever calls are open.  Calibration measures the total cost of
 * the page.  Of its two parts only this is known: neither can cost more than the total.
 */
#ifndef KVIEW_STEP_PAGE_BPF_H
#define KVIEW_STEP_PAGE_BPF_H

struct xp_once step_page_cost;

enum { STEP_PAGE_UNKNOWN, STEP_PAGE_MADE, STEP_PAGE_USED };
/* Of the traced process; set to unknown before attaching. */
__u32 step_page;

static __always_inline u64 trampoline__of(struct task_struct *task)
{
	struct xol_area *area = BPF_CORE_READ(task, mm, uprobes_state.xol_area);

	return area ? BPF_CORE_READ(area, vaddr) : 0;
}

/* One of the two parts, or both. */
static __always_inline void step_page__pay(u32 parts)
{
	struct thread *t = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0);

	if (!t || !parts)
		return;
	t->overhead_ns += step_page_cost.ns * parts / 2;
	t->uncertain_ns += step_page_cost.spread_ns * parts / 2;
}

static __always_inline bool step_page__is_there(void)
{
	return trampoline__of(bpf_get_current_task_btf());
}

/* The thread is about to step an instruction. */
__noinline int step_page__first_step(void)
{
	u32 parts = 0;

	if (step_page == STEP_PAGE_MADE)
		parts = 1;
	else if (step_page == STEP_PAGE_UNKNOWN && !step_page__is_there())
		parts = 2;
	WRITE_ONCE(step_page, STEP_PAGE_USED);
	step_page__pay(parts);
	return 0;
}

/* A return address is about to be replaced. */
__noinline int step_page__first_replaced(void)
{
	bool there = step_page__is_there();

	WRITE_ONCE(step_page, there ? STEP_PAGE_USED : STEP_PAGE_MADE);
	step_page__pay(!there);
	return 0;
}

static __always_inline bool step_page__counts(void)
{
	return READ_ONCE(active) && task__is_target(bpf_get_current_task_btf());
}

/* Of many processes each has its own page; no return address is replaced in these. */
static __always_inline void step_page__of_one(bool steps)
{
	if (steps && step_page__counts() && !step_page__is_there())
		step_page__pay(2);
}

/*
 * To be called at the end of an entry's eBPF program: is its instruction single-stepped, and its
 * return address replaced?
 */
static __always_inline void probe__uses_page(bool steps, bool replaces)
{
	u32 page = READ_ONCE(step_page);

	if (group__is_measured()) {
		step_page__of_one(steps);
		return;
	}
	if (page == STEP_PAGE_USED || !step_page__counts())
		return;
	if (steps)
		step_page__first_step();
	else if (replaces && page == STEP_PAGE_UNKNOWN)
		step_page__first_replaced();
}

/* A return address that was replaced has led here. */
static __always_inline void probe__came_by_page(void)
{
	if (READ_ONCE(step_page) != STEP_PAGE_MADE || !step_page__counts())
		return;
	WRITE_ONCE(step_page, STEP_PAGE_USED);
	step_page__pay(1);
}

#endif
