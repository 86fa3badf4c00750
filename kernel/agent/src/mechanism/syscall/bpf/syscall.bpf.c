// SPDX-License-Identifier: GPL-2.0
/*
 * System calls of one process, between the raw tracepoints at their entry and exit, where all
 * processes' system calls pass.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "mechanism/bpf/figures.h"
#include "mechanism/bpf/thread-costs.h"
#include "base.bpf.h"
#include "figures.bpf.h"
#include "raises.bpf.h"
#include "syscall.h"

char LICENSE[] SEC("license") = "GPL";

#ifdef __TARGET_ARCH_x86
/* The field's name within the kernel; for user programs it has another one. */
struct pt_regs___kernel {
	unsigned long orig_ax;
} __attribute__((preserve_access_index));
#define regs__number(regs)	BPF_CORE_READ((struct pt_regs___kernel *)(regs), orig_ax)
#else
#define regs__number(regs)	BPF_CORE_READ((struct pt_regs *)(regs), syscallno)
#endif

/* What the kernel's own code sees a call return that goes on as restart_syscall, unless a handler runs. */
#define ERESTART_RESTARTBLOCK	516

/* Of the x86 kernel: the call came by the entry for programs of 32 bits. */
#define TS_COMPAT	2

/* An execve that gives the process rights ends it, before the first instruction of the new program. */
const volatile bool stops_at_raise;
/* Set before attaching; 0 from such an execve on. */
__u32 target_tgid;
/* Whether calls are measured. */
bool active;
/* The process has ended: its number may be another's from now on. */
bool ended;
/* By number, SC_POINT(id) with flags; 0: not measured. */
__u32 points[SC_NUMBERS];
struct sc_others others[SC_SLOTS];
int leader_exit_code = -1;

/*
 * Set before load: another mechanism measures calls that system calls are made in, and has states of the
 * threads.  Their times contain what these eBPF programs take: that they are longer by as much makes
 * them uncertain.
 */
const volatile bool is_within_others;
/* How much longer a call takes at most: one that is measured, and one that is not. */
__u64 most_ns, most_other_ns;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct xp_thread_costs);
} threads SEC(".maps");

/* By thread, while it is in one. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, SC_MAX_THREADS);
	__type(key, u32);
	__type(value, struct sc_call);
} open_calls SEC(".maps");

static __always_inline bool is_of_32_bits(struct task_struct *task)
{
	return bpf_core_field_exists(task->thread_info.status) &&
	       BPF_CORE_READ(task, thread_info.status) & TS_COMPAT;
}

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

static __always_inline bool is_measured(u64 id)
{
	return id >> 32 == target_tgid && READ_ONCE(active) && !READ_ONCE(ended);
}

/* Time on the CPU is not measured, so there is only one value. */
static __always_inline void call__ended(u32 point, u64 wall_ns)
{
	metric__count(slot__index(point) * XP_SETS + XP_UNDIVIDED, wall_ns, true);
	calls__add(point, ended[0]);
}

/* A thread without a state is in no call of the other mechanism. */
static __always_inline void thread__may_pay(u64 ns)
{
	struct xp_thread_costs *costs;

	if (!is_within_others)
		return;
	costs = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0);
	if (costs)
		costs->uncertain_ns += ns;
}

SEC("raw_tp/sys_enter")
int system_call_enter(struct bpf_raw_tracepoint_args *context)
{
	u64 id = bpf_get_current_pid_tgid();
	struct sc_call call = { 0 }, *before;
	u32 thread = id, point;

	if (!is_measured(id))
		return 0;
	point = point__of(context->args[1]);
	thread__may_pay(point ? most_ns : most_other_ns);
	if (context->args[1] == NR_RESTART_SYSCALL) {
		before = bpf_map_lookup_elem(&open_calls, &thread);
		if (before && before->left_ns) {
			before->left_ns = 0;
			return 0;
		}
	}
	if (!point) {
		__sync_fetch_and_add(&others[BOUND(bpf_get_smp_processor_id(), SC_SLOTS - 1)].nr, 1);
		return 0;
	}
	call.point = SC_ID(point);
	before = bpf_map_lookup_elem(&open_calls, &thread);
	if (before && before->left_ns)
		call__ended(before->point, before->left_ns - before->begin_ns);
	else if (before)
		calls__lose(before->point, XP_LOST_END_UNSEEN);
	calls__add(call.point, calls);
	call.begin_ns = bpf_ktime_get_ns();
	if (bpf_map_update_elem(&open_calls, &thread, &call, BPF_ANY)) {
		calls__lose(call.point, XP_LOST_NO_MEMORY);
		if (before)
			bpf_map_delete_elem(&open_calls, &thread);
	}
	return 0;
}

/*
 * Either this call began before the recording, or a new thread returns from the call that its
 * creator made.
 */
static __always_inline void stray__count(u64 number, s64 result)
{
	u32 point = point__of(number);

	if (!point || (point & SC_CREATES && !result))
		return;
	calls__add(SC_ID(point), returns);
}

SEC("raw_tp/sys_exit")
int system_call_exit(struct bpf_raw_tracepoint_args *context)
{
	u64 now_ns = bpf_ktime_get_ns(), id = bpf_get_current_pid_tgid(), wall_ns;
	s64 result = context->args[1];
	u32 thread = id, point;
	struct sc_call *call;

	if (!is_measured(id))
		return 0;
	call = bpf_map_lookup_elem(&open_calls, &thread);
	if (!call) {
		stray__count(regs__number(context->args[0]), result);
		return 0;
	}
	if (!call->left_ns && result == -ERESTART_RESTARTBLOCK) {
		call->left_ns = now_ns;
		return 0;
	}
	point = call->point;
	/* The noted call was left when a signal handler ran: this is the end of another call. */
	wall_ns = (call->left_ns ?: now_ns) - call->begin_ns;
	if (!bpf_map_delete_elem(&open_calls, &thread))
		call__ended(point, wall_ns);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(sched_process_exit, struct task_struct *task)
{
	struct sc_call *call;
	u32 thread = task->pid;

	if (task->tgid != target_tgid)
		return 0;
	if (task->pid == task->tgid && leader_exit_code == -1)
		leader_exit_code = task->exit_code;
	/* None of its threads makes calls any more; those that end now are still to come here. */
	if (!BPF_CORE_READ(task, signal, live.counter))
		WRITE_ONCE(ended, true);
	call = bpf_map_lookup_elem(&open_calls, &thread);
	if (call) {
		u32 point = call->point;

		if (!bpf_map_delete_elem(&open_calls, &thread))
			calls__add(point, unfinished);
	}
	return 0;
}

/* A thread that executes a program goes on as the process's first one. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	u32 old = old_pid, new = task->pid;
	struct sc_call *call, moved;

	if (task->tgid != target_tgid || READ_ONCE(ended))
		return 0;
	if (stops_at_raise && bprm__raises(bprm)) {
		WRITE_ONCE(target_tgid, 0);
		return 0;
	}
	if (old == new)
		return 0;
	call = bpf_map_lookup_elem(&open_calls, &old);
	if (!call)
		return 0;
	moved = *call;
	bpf_map_delete_elem(&open_calls, &old);
	if (bpf_map_update_elem(&open_calls, &new, &moved, BPF_ANY))
		calls__lose(moved.point, XP_LOST_NO_MEMORY);
	return 0;
}
