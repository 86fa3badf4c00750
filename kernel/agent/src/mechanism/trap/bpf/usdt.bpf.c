// SPDX-License-Identifier: GPL-2.0
/* Hits of static probes of a program or library, by the threads of one process. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "mechanism/bpf/hits.h"
#include "base.bpf.h"
#include "task.bpf.h"
#include "figures.bpf.h"
#include "mechanism/bpf/thread.h"
#include "mechanism/cost/bpf/thread-costs.h"
#include "hits.bpf.h"
#include "inner-threads.bpf.h"
#include "within-others.bpf.h"

char LICENSE[] SEC("license") = "GPL";

SEC("uprobe.multi")
int usdt_hit(struct pt_regs *context)
{
	u32 point = (u32)bpf_get_attach_cookie(context);
	struct xp_thread_inner *inner;
	struct task_struct *task;
	u64 *mark;

	if (!READ_ONCE(active) || point >= nr_functions)
		return 0;
	task = bpf_get_current_task_btf();
	/* A child that was forked meanwhile has the probes as well. */
	if (!task__is_target(task) || !is_still_it(task))
		return 0;
	mark = program__begins();
	inner = inner__get();
	if (inner)
		inner->own.uncertain_ns += most_ns;
	thread__may_pay(most_ns);
	hit__count(task, point, 0);
	program__ends(mark);
	return 0;
}

/* Later nobody can come by as this thread. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(usdt_thread_freed, struct task_struct *task)
{
	if (task__may_have_begun(task))
		hits__forget(task);
	return 0;
}

SEC("iter/task")
int usdt_know_target(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (task && task->pid == target_tgid)
		target_began_ns = task->start_boottime;
	return 0;
}
