// SPDX-License-Identifier: GPL-2.0
/*
 * Writes for each processor what the thread of one process that runs there has run so far, for the stamps to read.
 *
 * All is the scheduler's own account: its clock less what it has charged the thread for (sum_exec_runtime) is what the thread was
 * away, by an origin of its own.  So a switch that the kernel does not report costs nothing but the time up to the
 * next one, or to the next time that the thread's account is brought up to date.
 *
 * Both programs run under the lock of the processor's run queue: nobody else writes its entry.
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <stdbool.h>
#include "layout.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* The few fields that are read, wherever the running kernel has them. */
struct rq {
	__u64 clock, clock_task;
	int cpu;
};

struct cfs_rq {
	struct rq *rq;			/* with CONFIG_FAIR_GROUP_SCHED */
};

struct sched_entity {
	__u64 exec_start, sum_exec_runtime;
	struct cfs_rq *cfs_rq;
};

struct thread_struct {
	unsigned long fsbase;
};

struct files_struct {
	struct {
		int counter;
	} count;
};

struct task_struct {
	__u64 start_time, self_exec_id;
	int pid;
	int tgid;
	struct task_struct *group_leader;
	struct files_struct *files;
	struct sched_entity se;
	struct thread_struct thread;
};

#pragma clang attribute pop

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
	__type(key, __u32);
	__type(value, struct jump_clock);
} clocks SEC(".maps");

#define WRITE_ONCE(place, value) (*(volatile typeof(place) *)&(place) = (value))

/* uncharged: what it has run and was not charged for so far. */
static __always_inline void clock__publish(struct jump_clock *clock, struct task_struct *task, struct rq *rq, __u64 uncharged)
{
	__u64 away = rq->clock - task->se.sum_exec_runtime - uncharged, thread = task->thread.fsbase;
	__u64 number = (__u64)task->pid << 32 | (__u32)task->start_time;

	if (clock->thread == thread && clock->number == number) {
		if (clock->away_ns != away)
			WRITE_ONCE(clock->away_ns, away);
		return;
	}
	/* The thread may read it meanwhile, if this is another processor: never one part of it with the other of another. */
	WRITE_ONCE(clock->thread, JUMP_NO_THREAD);
	WRITE_ONCE(clock->number, number);
	WRITE_ONCE(clock->away_ns, away);
	WRITE_ONCE(clock->thread, thread);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct jump_clock *clock = bpf_map_lookup_elem(&clocks, &cpu);

	if (!clock)
		return 0;
	if (is_watched(next))
		clock__publish(clock, next, next->se.cfs_rq->rq, 0);
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
	__u32 cpu;

	if (!is_watched(task))
		return 0;
	rq = task->se.cfs_rq->rq;
	cpu = rq->cpu;
	clock = bpf_map_lookup_elem(&clocks, &cpu);
	/* Linux 6.4 to 6.6 tell of it before they charge threads of real time and deadlines, and exec_start changes with that. */
	if (clock)
		clock__publish(clock, task, rq, rq->clock_task - task->se.exec_start);
	return 0;
}

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
};

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
