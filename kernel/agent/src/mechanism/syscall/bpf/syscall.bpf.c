// SPDX-License-Identifier: GPL-2.0
/*
 * System calls of one process, between the raw tracepoints at their entry and exit, where all
 * processes' system calls pass.  The scheduler's tracepoints tell how much of a call the thread was
 * off the CPU, and why, as for functions.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "syscall.h"
/* The call that a thread is in has a place of its own. */
#define XP_DEPTH	1
#include "base.bpf.h"
#include "raises.bpf.h"
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
#include "inner.bpf.h"
#include "within-others.bpf.h"
#include "conditions.bpf.h"
#include "splits.bpf.h"
#include "failures.bpf.h"
#include "system-call.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* What the kernel's own code sees a call return that goes on as restart_syscall, unless a handler runs. */
#define ERESTART_RESTARTBLOCK	516

/* All calls are of one class: what their probes cost does not depend on which call it is. */
#define CALL_CLASS	0

/* The programs run in a view of the process, see view.bpf.h. */
volatile const bool in_view;
/* The process has ended: its number may be another's from now on. */
bool ended;
/* All probes came off, and the recording goes on without them. */
bool is_off;
/* By number, SC_POINT(id) with flags; 0: not measured. */
__u32 points[SC_NUMBERS];
struct sc_others others[SC_SLOTS];
/* As most_ns, of a call that is not measured. */
__u64 most_other_ns;

/* The call that a thread is in, or was in last. */
struct call {
	struct frame frame;
	struct ending left;		/* where has_left */
	u32 is_open;
	u32 has_left;			/* it was interrupted so that it may go on as restart_syscall */
	/* Of the thread as it made the call. */
	u64 exec_id;
	u32 tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct call);
} open_calls SEC(".maps");

#include "conditional.bpf.h"
#include "unseen-ends.bpf.h"

/* SC_POINT with flags, 0 where it is not measured. */
static __always_inline u32 point__of(u64 number)
{
	u32 point;

	if (number >= SC_NUMBERS)
		return 0;
	point = points[BOUND(number, SC_NUMBERS - 1)];
	if (!point || is_of_32_bits(bpf_get_current_task_btf()))
		return 0;
	return point;
}

static __always_inline bool is_measured(struct task_struct *task)
{
	return is_active() && task__is_target(task) && !READ_ONCE(ended);
}

/* Nothing of these programs is a trap, in which a thread would wait for what is no call's. */
static __always_inline bool thread__waits_in_probe(struct thread *t, struct task_struct *task,
						   u8 cause)
{
	return false;
}

/* Global, so that the verifier looks at it once, with both programs at their own depth. */
__noinline int call__end(struct thread *t, struct call *call)
{
	if (!t || !call)
		return 0;
	thread__catch_up(t);
	call__measured(t, &call->frame, CALL_CLASS, t->depth, 0, bpf_get_current_task_btf());
	thread__pays(t, cost__of_class(CALL_CLASS));
	call->is_open = 0;
	return 0;
}

#include "left.bpf.h"

/* A thread's state, made at its first measured call; NULL: there is no room. */
static __always_inline struct thread *thread__of(struct task_struct *task)
{
	struct thread *t = bpf_task_storage_get(&threads, task, NULL, 0);

	if (!t)
		t = thread__new(task);
	if (t && !t->known) {
		t->known = 1;
		task__comes(task);
		thread__starts_inner(t);
		thread__rebase(t, task);
		__sync_fetch_and_add(&counters.threads, 1);
	}
	return t;
}

/* test: where its condition goes on, or ends. */
__noinline int call__begin(struct thread *t, struct call *call, __u32 point, __u32 test)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct xp_event_call *event = NULL;
	u64 reserved_ns = 0;
	struct moment m;
	struct frame *f;

	if (!t || !call)
		return 0;
	f = &call->frame;
	thread__catch_up(t);
	if (with_events && test != XP_DIFFERS)
		event = event__reserve(sizeof(*event), &reserved_ns);
	f->function = point;
	f->flags = test == XP_MATCHES ? 0 : test == XP_DIFFERS ? FRAME_DIFFERS : FRAME_UNDECIDED;
	f->test = test;
	if (has_splits && test != XP_DIFFERS)
		f->argument = call__argument(point);
	f->class = CALL_CLASS;
	f->overhead_ns = t->overhead_ns;
	f->uncertain_ns = t->uncertain_ns;
	f->open_ns = t->open_ns;
	f->open_spread_ns = t->open_spread_ns;
	thread__enters(t, f, point, 0);
	moment__take(&m, t, task, f->generation, f->off_ns);
	call__begins_at(t, f, m.now_ns);
	f->steal_ns = m.steal_ns;
	f->generation = m.generation;
	call->exec_id = task->self_exec_id;
	call->tid = task->pid;
	call->is_open = 1;
	call->has_left = 0;
	if (event) {
		event__head(&event->head, reserved_ns, XP_CALL_ENTRY, task->pid, m.cpu, m.now_ns);
		event->function = point;
		event->depth = t->depth;
		event__submit(event);
	} else if (test != XP_DIFFERS) {
		event__lost();
	}
	return 0;
}

static __always_inline int call__enter(struct bpf_raw_tracepoint_args *context, u32 point)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;
	struct call *call;
	u32 test;

	thread__may_pay(point ? most_ns : most_other_ns);
	call = bpf_task_storage_get(&open_calls, task, NULL, 0);
	call__follow_exec(call, task);
	/* It goes on with a call that can't be told: the end of that one is not seen. */
	if (context->args[1] == NR_RESTART_SYSCALL && !call)
		end__is_unseen(task);
	if (context->args[1] == NR_RESTART_SYSCALL && call && call->is_open && call->has_left) {
		call->has_left = 0;
		return 0;
	}
	if (!point) {
		__sync_fetch_and_add(&others[BOUND(bpf_get_smp_processor_id(), SC_SLOTS - 1)].nr, 1);
		return 0;
	}
	point = SC_ID(point);
	t = thread__of(task);
	if (t && !call)
		call = bpf_task_storage_get(&open_calls, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (call && call->is_open && call->has_left)
		call__split_left(t, call);
	else if (call && call->is_open)
		call__lose(call, XP_LOST_END_UNSEEN);
	calls__add(point, calls);
	test = has_conditions ? call__test(point) : XP_MATCHES;
	if (t && call)
		call__begin(t, call, point, test);
	else
		calls__lose_at_entry(point, test, XP_LOST_NO_MEMORY);
	return 0;
}

SEC("raw_tp/sys_enter")
int system_call_enter(struct bpf_raw_tracepoint_args *context)
{
	u64 *mark;

	if (!is_measured(bpf_get_current_task_btf()))
		return 0;
	mark = probe__begins(most_ns);
	call__enter(context, point__of(context->args[1]));
	program__ends(mark);
	return 0;
}

#include "never-begun.bpf.h"

static __always_inline int call__exit(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;
	struct call *call;
	bool is_hidden;

	call = bpf_task_storage_get(&open_calls, task, NULL, 0);
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	is_hidden = (!call || !t) && end__is_unseen(task);
	call__drop_unseen(call, task->pid);
	if (!call || !t || !call->is_open) {
		stray__count(task, call, is_hidden, call && t, regs__number(context->args[0]), context->args[1]);
		return 0;
	}
	if (call->has_left) {
		call__split_left(t, call);
	} else if ((s64)context->args[1] == -ERESTART_RESTARTBLOCK) {
		call__leave(t, call);
	} else if (call__counts(call, context->args[1])) {
		call__fails(call->frame.function, context->args[1]);
		call__sees_result(t, call, context->args[1]);
		call__end(t, call);
		if (has_splits)
			split__count(t, &call->frame, CALL_CLASS);
	} else {
		thread__pays(t, cost__of_class(CALL_CLASS));
		cost__add(call->frame.function, cost__of_class(CALL_CLASS)->likely_ns);
		call->is_open = 0;
	}
	return 0;
}

/* Who has left the cgroup may be in a call that began in it. */
static __always_inline bool has_open_call(struct task_struct *task)
{
	const struct call *call = by_cgroup && is_active() ? bpf_task_storage_get(&open_calls, task, NULL, 0) : NULL;

	return call && call->is_open;
}

SEC("raw_tp/sys_exit")
int system_call_exit(struct bpf_raw_tracepoint_args *context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u64 *mark;

	if (!is_measured(task) && !has_open_call(task))
		return 0;
	mark = probe__begins(most_ns);
	call__exit(context);
	program__ends(mark);
	return 0;
}

static __always_inline void thread__begins_wait(struct thread *t, struct task_struct *task, u8 cause, long syscall)
{
}

#include "switches.bpf.h"

static __always_inline void task__ends(struct task_struct *task)
{
	u64 *mark = program__begins();

	if (task__is_leader(task) && leader_exit_code == -1)
		leader_exit_code = task->exit_code;
	/* None of its threads makes calls any more; those that end now are still to come here. */
	if (!by_group() && !BPF_CORE_READ(task, signal, live.counter))
		WRITE_ONCE(ended, true);
	if (!call__unfinished(task)) {
		__sync_fetch_and_add(&counters.threads_unseen, 1);
		thread__gone(task);
	} else if (bpf_task_storage_get(&threads, task, NULL, 0)) {
		thread__gone(task);
		thread__end(task);
	}
	program__ends(mark);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	if (task__may_have_begun(task))
		task__ends(task);
	return 0;
}

#include "view.bpf.h"
#include "calls-cut.bpf.h"

/* Run once everything is detached: calls that are still running will not be seen ending. */
SEC("iter/task")
int count_running(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (!task || !task__may_have_begun(task))
		return 0;
	if (!call__unfinished(task))
		running_unseen = true;
	return 0;
}

/* A thread that executes a program goes on as the process's first one, with its state. */
static __always_inline void task__executes(struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	struct call *call;

	state__moves(task, old_pid);
	if (stops_at_raise && bprm__raises(bprm)) {
		WRITE_ONCE(target_tgid, 0);
		call = bpf_task_storage_get(&open_calls, task, NULL, 0);
		if (call && call__close(call))
			call__lose(call, XP_LOST_EXEC);
		thread__forget(task);
	}
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	u64 *mark;

	if (!task__may_have_begun(task) || READ_ONCE(ended))
		return 0;
	mark = program__begins();
	task__executes(task, old_pid, bprm);
	program__ends(mark);
	return 0;
}
