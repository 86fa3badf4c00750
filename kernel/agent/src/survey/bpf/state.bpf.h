/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs of a survey are told and keep, and whether it is the process's turn. */
#ifndef KVIEW_SURVEY_STATE_BPF_H
#define KVIEW_SURVEY_STATE_BPF_H

/* Set before load. */
volatile const int target_tgid;
volatile const bool stops_at_raise;
/* Waits are sent with the time of so much waiting; longer ones always, with their own. */
volatile const __u64 wait_period_ns = 1000000;
/* For how much time on a CPU a sample stands. */
volatile const __u64 cpu_period_ns = 2000000;
volatile const __u32 nr_slots;

__u64 begin_ns;		/* 0: not begun */
__u64 end_ns;		/* 0: not ended */
/* They stop by themselves then, for an agent that is busy or stopped.  Set before it begins. */
__u64 until_ns;
/* When the process started: its number may be another's once it has ended.  0: it was not looked at yet. */
__u64 started_ns;
bool raised, executed;
__u32 next_slot;
struct survey_losses losses;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct survey_thread);
} threads SEC(".maps");

/* A thread's stack while it waits. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct survey_stack);
} slots SEC(".maps");

/* By CPU: values of the kernel's own maps by CPU are too small. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct survey_stack);
} running SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

static const struct survey_thread no_thread;

static __always_inline bool is_on(void)
{
	return READ_ONCE(begin_ns) && !READ_ONCE(end_ns) && bpf_ktime_get_ns() < READ_ONCE(until_ns);
}

/* A thread that executes another program becomes the leader, with the start time of the one before. */
static __always_inline bool is_of_process(struct task_struct *task)
{
	return task->tgid == target_tgid && task->group_leader->start_boottime == READ_ONCE(started_ns);
}

#endif
