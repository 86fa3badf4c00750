// SPDX-License-Identifier: GPL-2.0
/*
 * Writes for each processor what the thread of one process that runs there has run so far, and for what it was away, for the stamps
 * to read.
 *
 * All is the scheduler's own account: its clock less what it has charged the thread for (sum_exec_runtime) is what the thread was
 * away, by an origin of its own.  So a switch that the kernel does not report costs nothing but the time up to the
 * next one, or to the next time that the thread's account is brought up to date.
 *
 * The programs that write a processor's entry run under the lock of the run queue that the thread is in: nobody else writes it, or
 * what is known of the thread. Two run without it: on_exit, behind which all of that thread is under other, and on_wakeup for a thread
 * that wakes itself before it sleeps. That writes only when it was woken, which is put back when the thread next leaves its CPU.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "base.bpf.h"
#include "causes.bpf.h"
#include "bpf/events.h"
#include "layout.h"
#include "away.bpf.h"
#include "told.bpf.h"

_Static_assert(XP_CAUSES == JUMP_CAUSES && XP_OTHER - XP_FIRST_CAUSE == JUMP_CAUSE_OTHER, "the causes are the same");

char LICENSE[] SEC("license") = "GPL";

/*
 * The process: as it was when its threads stood to be given the clocks.  Its number stays when it executes another program, with
 * other rights perhaps, and is given to another process once it has ended; those are nobody's to look at through clocks that
 * a child may still have.
 */
struct {
	__u64 started, executed;	/* its first thread's time; how many programs it had executed */
	int tgid;			/* -1: none yet */
	int files_users;		/* threads, of any process, that share the open files of the one that was shown */
} watched = { .tgid = -1 };

static __always_inline bool is_watched(struct task_struct *task)
{
	return task->tgid == watched.tgid && task->self_exec_id == watched.executed &&
	       task->group_leader->start_time == watched.started;
}

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);		/* processors, as the loader says */
	__type(key, u32);
	__type(value, struct jump_clock);
} clocks SEC(".maps");

/* away: NULL, if nothing is known of the thread's causes: all of them are 0, and the stamps see that the sum is not right. */
static __always_inline void clock__publish(struct jump_clock *clock, struct task_struct *task, u64 away_ns, const struct away *away)
{
	u64 thread = task->thread.fsbase, number = thread__number(task);

	if (clock->thread == thread && clock->number == number && clock->away_ns == away_ns)
		return;
	/* The thread may read it meanwhile, if this is another processor: never one part of it with the other of another. */
	WRITE_ONCE(clock->thread, JUMP_NO_THREAD);
	WRITE_ONCE(clock->number, number);
	for (int i = 0; i < JUMP_CAUSES; i++)
		WRITE_ONCE(clock->cause_ns[i], away ? away->cause_ns[i] : 0);
	WRITE_ONCE(clock->away_ns, away_ns);
	WRITE_ONCE(clock->thread, thread);
}

/* A thread of the process runs, and may have just come.  uncharged: what it has run and was not charged for so far. */
static __always_inline void thread__runs(struct jump_clock *clock, struct task_struct *task, u64 uncharged, bool comes)
{
	struct rq *rq = task->se.cfs_rq->rq;
	u64 away_ns = rq->clock - task->se.sum_exec_runtime - uncharged;
	struct away *a = away__find(task);
	u64 unseen_ns = 0;

	if (!a) {
		a = away__new(task, away_ns);
		comes = false;
	}
	/* Nobody told that it left. */
	if (a && comes && a->cause == AWAY_NOT) {
		a->cause = cause__of_unreported(&a->syscall, task);
		unseen_ns = away_ns - a->ns;
	}
	if (a && comes)
		told__returns(a, task, unseen_ns);
	else if (a)
		told__is_back(a);
	if (a)
		away__look(a, rq, away_ns);
	clock__publish(clock, task, away_ns, a);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	u32 cpu = bpf_get_smp_processor_id();
	struct jump_clock *clock = bpf_map_lookup_elem(&clocks, &cpu);
	struct away *a;

	if (!clock)
		return 0;
	if (is_watched(prev)) {
		a = away__find(prev);
		if (a)
			told__leaves(a, prev, away__leave(a, prev, preempt, prev_state));
	}
	if (is_watched(next))
		thread__runs(clock, next, 0, true);
	else if (clock->thread != JUMP_NO_THREAD)
		WRITE_ONCE(clock->thread, JUMP_NO_THREAD);
	return 0;
}

/* At each tick, wakeup, and whenever somebody asks for it: interrupts and stolen time are not charged. */
SEC("tp_btf/sched_stat_runtime")
int BPF_PROG(on_account, struct task_struct *task)
{
	struct jump_clock *clock;
	struct rq *rq;
	u32 cpu;

	if (!is_watched(task))
		return 0;
	rq = task->se.cfs_rq->rq;
	cpu = rq->cpu;
	clock = bpf_map_lookup_elem(&clocks, &cpu);
	/* Linux 6.4 to 6.6 tell of it before they charge threads of real time and deadlines, and exec_start changes with that. */
	if (clock)
		thread__runs(clock, task, rq->clock_task - task->se.exec_start, false);
	return 0;
}

SEC("tp_btf/sched_wakeup")
int BPF_PROG(on_wakeup, struct task_struct *task)
{
	struct away *a;

	if (!is_watched(task))
		return 0;
	a = away__find(task);
	if (a && !a->woken_ns)
		a->woken_ns = task->se.cfs_rq->rq->clock - task->se.sum_exec_runtime;
	if (a)
		told__is_woken(a, task);
	return 0;
}

/* Loaded with events only: sched_wakeup may come on another CPU than the waker's. */
SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *task)
{
	struct away *a;

	if (!is_watched(task))
		return 0;
	a = away__find(task);
	if (!a)
		return 0;
	a->waker_tid = bpf_get_current_pid_tgid();
	bpf_get_current_comm(a->waker_comm, sizeof(a->waker_comm));
	return 0;
}

/* A thread that ends makes room for others. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
	u64 number = thread__number(task);

	if (!is_watched(task))
		return 0;
	told__ends(task);
	bpf_map_delete_elem(&away, &number);
	return 0;
}

/* Shows the process, by one of its threads: the kernel knows which one a number means to who asks, and that is all it visits. */
SEC("iter/task")
int show(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;

	if (!task)
		return 0;
	watched.started = task->group_leader->start_time;
	watched.executed = task->self_exec_id;
	watched.files_users = task->files ? task->files->count.counter : 0;
	WRITE_ONCE(watched.tgid, task->tgid);
	return 0;
}
