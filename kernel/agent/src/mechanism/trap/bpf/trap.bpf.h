/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a thread that is taken off its CPU is in a probe's trap: what it waits for then is the
 * probe's time, and no call's.
 *
 *	push %rbp	int3	entry's program, then the instruction is emulated, and all
 *				that was put off until the thread leaves the kernel is done:
 *				here it loses its CPU, mostly with ip behind the instruction
 *	mov ...		int3	the same, and ip is set to a copy of the instruction
 *			debug	it was stepped, and ip is set behind it: the same once more
 *	ret		int3 in the page for steps, or a system call there (since Linux 6.11)
 *
 * So ip does not show where the thread is, but how it entered the kernel does: just below its
 * registers on the kernel's stack lies a return address in the entry code that it came through.
 */
#ifndef KVIEW_TRAP_BPF_H
#define KVIEW_TRAP_BPF_H

#define XOL_BYTES	4096

/* Set before load; 0: not known. */
volatile const struct xp_entry_code entry_code;

static __always_inline bool span__has(const volatile struct xp_span *span, u64 address)
{
	return address - span->start < span->end - span->start;
}

static __always_inline u64 task__came_by(struct task_struct *task)
{
	u64 address = 0;

	bpf_probe_read_kernel(&address, sizeof(address),
			      (void *)((u64)bpf_task_pt_regs(task) - sizeof(address)));
	return address;
}

static __always_inline bool task__came_by_trap(struct task_struct *task)
{
	u64 address = task__came_by(task);

	return span__has(&entry_code.breakpoint, address) || span__has(&entry_code.step, address);
}

/*
 * At a thread's first probe: whether that came by the breakpoint's code, as it has to where these
 * symbols are the ways in.  They are there under other ways as well (FRED).
 */
struct xp_ways_in ways_in;

__noinline int ways_in__look(void)
{
	u64 address = task__came_by(bpf_get_current_task_btf());

	WRITE_ONCE(ways_in.looked, 1);
	if (span__has(&entry_code.breakpoint, address))
		WRITE_ONCE(ways_in.known, 1);
	return 0;
}

/* At the copy of an instruction, or where replaced return addresses lead. */
static __always_inline bool task__is_in_step_page(struct task_struct *task)
{
	u64 area = trampoline__of(task);

	return area && REGS_USER_IP((struct pt_regs *)bpf_task_pt_regs(task)) - area < XOL_BYTES;
}

/*
 * The system call of a replaced return address says that it is none, once it has begun.  So does
 * the one that ends a signal's handler: but no probe has come before that since the thread runs.
 */
static __always_inline bool task__returns_by_call(struct thread *t, struct task_struct *task)
{
	return REGS_SYSCALL((struct pt_regs *)bpf_task_pt_regs(task)) < 0 &&
	       t->probe_ns > t->in_ns && span__has(&entry_code.call, task__came_by(task));
}

static __always_inline bool thread__waits_in_probe(struct thread *t, struct task_struct *task,
						   u8 cause)
{
	if (cause == XP_PREEMPTED || cause == XP_THROTTLED)
		return task__came_by_trap(task) || task__is_in_step_page(task) ||
		       task__returns_by_call(t, task);
	/* Nothing but locks of the process's memory is waited for there. */
	return cause == XP_PAGE_FAULT && task__came_by_trap(task);
}

#endif
