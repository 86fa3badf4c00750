// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of kernel functions that the threads of one process make, between probes at their entry and their
 * return, where all processes pass.  The scheduler's tracepoints tell how much of a call the thread was off the
 * CPU, and why, as for functions of programs.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "kernel.h"
/* The calls that a thread is in have a place of their own. */
#define XP_DEPTH	1
#include "base.bpf.h"
#include "causes.bpf.h"
#include "thread.bpf.h"
#include "scheduler.bpf.h"
#include "moments.bpf.h"
#include "excess.bpf.h"
#include "arch.bpf.h"
#include "figures.bpf.h"
#include "mechanism/cost/bpf/cost.bpf.h"
#include "events.bpf.h"
#include "endings.bpf.h"
#include "guard.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* What probes cost does not depend on which function it is. */
#define CALL_CLASS	0
#define CALLS_DEPTH	64	/* a power of two */

/* The programs run in a view of the process, see view.bpf.h. */
volatile const bool in_view;
/* The process has ended: its number may be another's from now on. */
bool ended;
/* A bit for each function that is not measured any more. */
__u32 off[KF_MOST / 32];
struct kf_passed passed[KF_SLOTS];
/* There was no memory for the state of a thread. */
bool unprepared;

/*
 * The calls that a thread is in, outermost first.  They end in the reverse order: nothing in the kernel leaves
 * its callers, and in interrupts nothing is measured.
 */
struct calls_of_thread {
	u32 depth;
	u32 too_deep;			/* and so many more within */
	u64 exec_id;			/* of the program that made them */
	struct frame frames[CALLS_DEPTH];
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct calls_of_thread);
} open_calls SEC(".maps");

/*
 * Calls of others that a thread is in, of functions of programs and system calls, are longer by what a probe takes here: at least
 * by what a call surely costs, and by how much more is no more certain than it is of these calls.
 */
static __always_inline void others__may_pay(struct thread *t)
{
	t->for_others.uncertain_ns += cost__of_class(CALL_CLASS)->inner_spread_ns;
}

static __always_inline struct frame *call__at(struct calls_of_thread *calls, u32 index)
{
	return &calls->frames[BOUND(index, CALLS_DEPTH - 1)];
}

/* Nothing of these programs is a trap, in which a thread would wait for what is no call's. */
static __always_inline bool thread__waits_in_probe(struct thread *t, struct task_struct *task,
						   u8 cause)
{
	return false;
}

struct rq___current {
	struct task_struct *curr;
} __attribute__((preserve_access_index));

/* It has been reported as having left its CPU, but is still there: the kernel is about to switch. */
static __always_inline bool task__is_leaving(struct task_struct *task)
{
	struct rq___current *rq = (void *)rq__of(task);

	return rq && BPF_CORE_READ(rq, curr) != task;
}

static __always_inline void thread__look(struct thread *t, struct task_struct *task)
{
	if (!t->known) {
		t->known = 1;
		task__comes(task);
		thread__rebase(t, task);
		__sync_fetch_and_add(&counters.threads, 1);
	}
	if (own_switches)
		thread__settle(t, task);
	else if (t->out_ns && !task__is_leaving(task))
		thread__heal(t);
}

/* Removes calls down to depth, whose returns were not seen. */
static __always_inline void calls__lose_above(struct calls_of_thread *calls, u32 depth, enum xp_lost way)
{
	int i;

#pragma clang loop unroll(disable)
	for (i = 0; i < CALLS_DEPTH && calls->depth > depth; i++) {
		calls->depth--;
		calls__lose(call__at(calls, calls->depth)->function, way);
	}
}

/*
 * With its memory a process leaves the view in the midst of an execve, and comes back behind it: the ends of the
 * calls that it was in are not seen.
 */
static __always_inline bool calls__left_by_exec(const struct calls_of_thread *calls, struct task_struct *task)
{
	return in_view && calls->depth && calls->exec_id != task->self_exec_id;
}

/* A call begins at sp: those that began there, or further in, are over. */
static __always_inline void calls__drop(struct calls_of_thread *calls, u64 sp)
{
	int i;

#pragma clang loop unroll(disable)
	for (i = 0; i < CALLS_DEPTH && calls->depth; i++) {
		if (call__at(calls, calls->depth - 1)->sp > sp)
			return;
		calls__lose_above(calls, calls->depth - 1, XP_LOST_END_UNSEEN);
		calls->too_deep = 0;
	}
}

/* Global, like others, so that the verifier looks at it once. */
__noinline int call__begin(struct thread *t, struct calls_of_thread *calls, __u32 function, __u64 sp)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct xp_event_call *event = NULL;
	u64 reserved_ns = 0;
	struct moment m;
	struct frame *f;
	u32 depth;

	if (!t || !calls)
		return 0;
	thread__look(t, task);
	if (calls__left_by_exec(calls, task)) {
		calls__lose_above(calls, 0, XP_LOST_EXEC);
		calls->too_deep = 0;
	}
	calls->exec_id = task->self_exec_id;
	calls__drop(calls, sp);
	depth = calls->depth;
	if (depth >= CALLS_DEPTH) {
		calls->too_deep++;
		calls__lose(function, XP_LOST_TOO_DEEP);
		return 0;
	}
	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	f = call__at(calls, depth);
	f->sp = sp;
	f->function = function;
	f->flags = 0;
	f->class = CALL_CLASS;
	f->overhead_ns = t->overhead_ns;
	f->uncertain_ns = t->uncertain_ns;
	f->inner_ns = t->inner_ns;
	f->open_ns = t->open_ns;
	f->open_spread_ns = t->open_spread_ns;
	thread__enters(t, f, function, depth);
	calls->depth = depth + 1;
	moment__take(&m, t, task, f->generation, f->off_ns);
	call__begins_at(t, f, m.now_ns);
	f->steal_ns = m.steal_ns;
	f->generation = m.generation;
	if (event) {
		event__head(&event->head, reserved_ns, XP_CALL_ENTRY, task->pid, m.cpu, m.now_ns);
		event->function = function;
		event->depth = depth;
		event__submit(event);
	} else {
		event__lost();
	}
	return 0;
}

/* The index of the innermost call of a function, or -1. */
static __always_inline int calls__find(struct calls_of_thread *calls, u32 function)
{
	u32 depth = calls->depth;
	int i;

#pragma clang loop unroll(disable)
	for (i = 0; i < CALLS_DEPTH; i++) {
		if (!depth)
			return -1;
		depth--;
		if (call__at(calls, depth)->function == function)
			return depth;
	}
	return -1;
}

__noinline int call__end(struct thread *t, struct calls_of_thread *calls, __u32 function)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct frame *f;
	int index;

	if (!t || !calls)
		return 0;
	if (calls->too_deep) {
		calls->too_deep--;
		return 0;
	}
	index = calls__find(calls, function);
	if (index < 0) {
		calls__add(function, returns);
		return 0;
	}
	thread__look(t, task);
	calls__lose_above(calls, index + 1, XP_LOST_END_UNSEEN);
	f = call__at(calls, index);
	calls->depth = index;
	call__measured(t, f, CALL_CLASS, index, 0, task);
	call__encloses(t, f, t->ending.times.wall_ns);
	thread__pays(t, cost__of_class(CALL_CLASS));
	t->for_others.overhead_ns += cost__of_class(CALL_CLASS)->call_ns;
	return 0;
}

static __always_inline bool task__is_measured(struct task_struct *task)
{
	return is_active() && task__is_target(task) && !READ_ONCE(ended) &&
	       !is_in_interrupt(task);
}

static __always_inline int call__enters(struct pt_regs *ctx)
{
	u32 function = bpf_get_attach_cookie(ctx);
	struct task_struct *task = bpf_get_current_task_btf();
	struct calls_of_thread *calls;
	struct thread *t;

	if (!task__is_measured(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (t)
		others__may_pay(t);
	if (off[BOUND(function / 32, KF_MOST / 32 - 1)] >> function % 32 & 1) {
		__sync_fetch_and_add(&passed[BOUND(bpf_get_smp_processor_id(), KF_SLOTS - 1)].nr, 1);
		return 0;
	}
	calls = bpf_task_storage_get(&open_calls, task, NULL, 0);
	if (!calls) {
		/* A new thread, in its first steps: in a view they are not measured. */
		if (in_view && !by_group() && !t && !READ_ONCE(unprepared))
			return 0;
		calls__add(function, calls);
		calls__lose(function, XP_LOST_NO_MEMORY);
		return 0;
	}
	/* None: the thread has ended, and takes its last steps. */
	if (!t || t->in_program)
		return 0;
	WRITE_ONCE(t->in_program, 1);
	calls__add(function, calls);
	call__begin(t, calls, function, PT_REGS_SP(ctx));
	WRITE_ONCE(t->in_program, 0);
	return 0;
}

static __always_inline int call__returns(struct pt_regs *ctx)
{
	u32 function = bpf_get_attach_cookie(ctx);
	struct task_struct *task = bpf_get_current_task_btf();
	struct calls_of_thread *calls;
	struct thread *t;

	if (!task__is_measured(task))
		return 0;
	calls = bpf_task_storage_get(&open_calls, task, NULL, 0);
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!calls || !t || t->in_program)
		return 0;
	WRITE_ONCE(t->in_program, 1);
	call__end(t, calls, function);
	WRITE_ONCE(t->in_program, 0);
	return 0;
}

static __always_inline int probe__enter(struct pt_regs *ctx)
{
	program_mark__set();
	call__enters(ctx);
	program_mark__clear();
	return 0;
}

static __always_inline int probe__return(struct pt_regs *ctx)
{
	program_mark__set();
	call__returns(ctx);
	program_mark__clear();
	return 0;
}

/* Where many are set by one request. */
SEC("kprobe.multi")
int function_entry(struct pt_regs *ctx)
{
	return probe__enter(ctx);
}

SEC("kretprobe.multi")
int function_return(struct pt_regs *ctx)
{
	return probe__return(ctx);
}

/* One by one, or in a view. */
SEC("kprobe")
int function_entry_single(struct pt_regs *ctx)
{
	return probe__enter(ctx);
}

SEC("kretprobe")
int function_return_single(struct pt_regs *ctx)
{
	return probe__return(ctx);
}

static __always_inline void thread__begins_wait(struct thread *t, struct task_struct *task, u8 cause, long syscall)
{
}

#include "switches.bpf.h"
#include "thread-lives.bpf.h"
#include "view.bpf.h"

/* Run once everything is detached: calls that are still running will not be seen ending. */
SEC("iter/task")
int count_running(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (task && task__may_have_begun(task))
		calls__unfinished(task);
	return 0;
}
