// SPDX-License-Identifier: GPL-2.0
/* Hits of tracepoints by the threads of one process, where all processes pass: how many, and the time between them. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "mechanism/tracepoint/bpf/tracepoint.h"
#include "base.bpf.h"
#include "task.bpf.h"
#include "figures.bpf.h"
#include "mechanism/bpf/thread.h"
#include "mechanism/cost/bpf/thread-costs.h"
#include "hits.bpf.h"
#include "inner-threads.bpf.h"
#include "system-call.bpf.h"
#include "within-others.bpf.h"

char LICENSE[] SEC("license") = "GPL";

__u32 system_calls[TP_SIDES][TP_NUMBERS];

/* Which program it had executed as it came into the view; it has executed another one since, as far as has been seen. */
__u64 exec_id;
bool has_executed;
/* While hits were counted.  What it comes to after that is in no view. */
__u64 threads_ended;

/* In the midst of an execve the process leaves the view, and comes back behind it. */
static __always_inline void task__compare(struct task_struct *task)
{
	if (in_view && !by_group() && task->self_exec_id != exec_id)
		WRITE_ONCE(has_executed, true);
}

static __always_inline int point__hit(u32 mark)
{
	u32 point = TP_ID(mark);
	struct xp_thread_inner *inner;
	struct task_struct *task;
	u64 *in_program = NULL;

	if (!READ_ONCE(active) || point >= nr_functions)
		return 0;
	task = bpf_get_current_task_btf();
	if (!task__is_target(task) || !is_still_it(task))
		return 0;
	task__compare(task);
	/* What the recording itself does comes here, and interrupts in the time that this takes from the process. */
	if (program_mark__is_set())
		return 0;
	inner = inner__get();
	if (inner) {
		in_program = mark__set(&inner->in_program);
		inner->own.uncertain_ns += most_ns;
	}
	thread__may_pay(most_ns);
	hit__count(task, point, TP_CLASS(mark));
	mark__clear(in_program);
	return 0;
}

/* Copied for each point: a raw tracepoint has nothing else to tell them apart by before Linux 6.10. */
SEC("raw_tp")
int tracepoint_hit(void *context)
{
	u32 mark;

	asm volatile("%0 = %1" : "=r"(mark) : "i"(TP_POINT));
	return point__hit(mark);
}

static __always_inline int system_call__hit(u64 number, enum tp_side side)
{
	u32 mark;

	if (number >= TP_NUMBERS)
		return 0;
	mark = system_calls[side][BOUND(number, TP_NUMBERS - 1)];
	return mark && !is_of_32_bits(bpf_get_current_task_btf()) ? point__hit(mark & ~TP_SET) : 0;
}

/* Events of single system calls, which are no tracepoints of their own. */
SEC("raw_tp/sys_enter")
int system_call_enter(struct bpf_raw_tracepoint_args *context)
{
	return task__is_target(bpf_get_current_task_btf()) ? system_call__hit(context->args[1], TP_ENTRY) : 0;
}

SEC("raw_tp/sys_exit")
int system_call_exit(struct bpf_raw_tracepoint_args *context)
{
	return task__is_target(bpf_get_current_task_btf()) ? system_call__hit(regs__number(context->args[0]), TP_EXIT) : 0;
}

/* Events of others, and of system calls whose number is not known here. */
SEC("tracepoint")
int event_hit(void *context)
{
	return point__hit(bpf_get_attach_cookie(context));
}

/* Later nobody can come by as this thread. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(sched_process_free, struct task_struct *task)
{
	if (task__may_have_begun(task))
		hits__forget(task);
	return 0;
}

/* In a view, at the entry of exit_mm_release(): it comes to little more there. */
SEC("kprobe")
int view_thread_ends(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!task__may_have_begun(task))
		return 0;
	task__compare(task);
	hits__forget(task);
	if (READ_ONCE(active))
		__sync_fetch_and_add(&threads_ended, 1);
	return 0;
}

SEC("iter/task")
int know_target(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (task && task->pid == target_tgid) {
		target_began_ns = task->start_boottime;
		exec_id = task->self_exec_id;
	}
	return 0;
}

#include "calls-cut.bpf.h"

/* Before the process leaves the view. */
SEC("iter/task")
int compare_target(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (task && task->pid == target_tgid && task->start_boottime == target_began_ns)
		task__compare(task);
	return 0;
}
