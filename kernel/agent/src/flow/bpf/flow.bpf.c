// SPDX-License-Identifier: GPL-2.0
/*
 * The ways of single calls of a system call through the kernel's functions.  All of them are hooked in a view of the
 * process.  While a thread is in such a call, what it enters and leaves is written into a buffer; at the end
 * the call is kept if it is one of the slowest, in exchange for the fastest of those.
 *
 * Any function can be where these programs run, so they take no lock, and no memory: whoever has a lock may be the one
 * that is hooked.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "flow/bpf/flow.h"
#include "base.bpf.h"
#include "causes.bpf.h"
#include "flow/bpf/calls.bpf.h"
#include "flow/bpf/steps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* The function of the system call, as cookies number them. */
volatile const __u32 root;
volatile const int target_tgid;

/* Views are of x86 alone. */
#ifdef __TARGET_ARCH_x86
#define FLAGS(ctx)	(ctx)->eflags
#else
#define FLAGS(ctx)	0
#endif

/* Set when the process has entered the view, and taken back before it leaves. */
bool is_on;

/* It takes the place of one whose return was not seen, or that an execve has ended. */
static __always_inline void call__replace(struct flow_open *open, struct task_struct *task)
{
	if (open->exec_id != task->self_exec_id)
		__sync_fetch_and_add(&counts.unended, 1);
	else
		__sync_fetch_and_add(&counts.lost, 1);
}

static __always_inline void call__begin(struct flow_open *open, struct task_struct *task, u64 sp)
{
	struct flow_buffer *buffer = buffer__of(open);
	u32 nr = open->buffer, place = open->place;
	u64 now;

	if (!buffer)
		return;
	__builtin_memset(open, 0, sizeof(*open));
	open->buffer = nr;
	open->place = place;
	open->exec_id = task->self_exec_id;
	open->switches_before = task->nvcsw + task->nivcsw;
	open->top = (u64)bpf_task_pt_regs(task);
	open->root_sp = sp;
	now = bpf_ktime_get_ns();
	open->begin_ns = open->last_ns = now;
	step(open, buffer, FLOW_KIND_ENTER, root, depth__of(open, sp), now);
}

static __always_inline int root__enter(struct flow_open *open, struct task_struct *task, u64 sp)
{
	if (!READ_ONCE(is_on) || task->tgid != target_tgid)
		return 0;
	if (open)
		call__replace(open, task);
	else
		open = open__claim(task->pid);
	if (open)
		call__begin(open, task, sp);
	else
		__sync_fetch_and_add(&counts.lost, 1);
	return 0;
}

/* At the return of the root. */
static __always_inline void call__end(struct flow_open *open, struct flow_buffer *buffer, struct task_struct *task,
				      s64 result, u64 sp)
{
	u64 now = bpf_ktime_get_ns(), switches = task->nvcsw + task->nivcsw - open->switches_before;

	if (open->out_ns)
		open__heal_in(open, buffer, now);
	step(open, buffer, FLOW_KIND_LEAVE, root, depth__of(open, sp), now);
	if (switches > open->switches)
		open->unseen += switches - open->switches;
	__sync_fetch_and_add(&counts.unseen_switches, open->unseen);
	__sync_fetch_and_add(&counts.calls, 1);
	__sync_fetch_and_add(&counts.wall_ns, now - open->begin_ns);
	buffer->tid = task->pid;
	buffer->nr = open->nr;
	buffer->begin_ns = open->begin_ns;
	buffer->wall_ns = now - open->begin_ns;
	buffer->off_ns = open->off_ns;
	buffer->result = result;
	buffer->cut_steps = open->cut;
	buffer->unseen_switches = open->unseen;
	bpf_probe_read_kernel(buffer->comm, sizeof(buffer->comm), task->comm);
	call__keep(open->buffer, now - open->begin_ns);
}

SEC("kprobe")
int flow_enter(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 function = bpf_get_attach_cookie(ctx);
	struct flow_open *open = open__find(task->pid);
	struct flow_buffer *buffer;
	u64 sp = PT_REGS_SP(ctx);

	/* Nothing in the kernel calls it: where a call is open, that one's return was not seen. */
	if (function == root)
		return root__enter(open, task, sp);
	if (!open)
		return 0;
	if (!is_on_stack(open, task, sp)) {
		__sync_fetch_and_add(&counts.elsewhere, 1);
		return 0;
	}
	buffer = buffer__of(open);
	if (buffer && !open__is_out(open, buffer, FLAGS(ctx)))
		step(open, buffer, FLOW_KIND_ENTER, function, depth__of(open, sp), bpf_ktime_get_ns());
	return 0;
}

SEC("kprobe")
int flow_leave(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 function = bpf_get_attach_cookie(ctx);
	struct flow_open *open = open__find(task->pid);
	/* The return address, on which it stood at the entry, is off the stack. */
	u64 sp = PT_REGS_SP(ctx) - sizeof(u64);
	struct flow_buffer *buffer;

	if (!open || !is_on_stack(open, task, sp))
		return 0;
	buffer = buffer__of(open);
	if (!buffer)
		return 0;
	if (function == root && sp == open->root_sp) {
		if (READ_ONCE(is_on)) {
			call__end(open, buffer, task, PT_REGS_RC(ctx), sp);
		} else {
			__sync_fetch_and_add(&counts.unended, 1);
			buffer__give_back(open->buffer);
		}
		open__release(open);
	} else if (!open__is_out(open, buffer, FLAGS(ctx))) {
		step(open, buffer, FLOW_KIND_LEAVE, function, depth__of(open, sp), bpf_ktime_get_ns());
	}
	return 0;
}

/* At the tracepoint sched_switch: preempt, prev, next, prev_state. It is still the thread that leaves. */
SEC("raw_tp")
int flow_out(struct bpf_raw_tracepoint_args *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct flow_open *open = open__find(task->pid);
	struct flow_buffer *buffer;
	long syscall;
	u8 cause;
	u64 now;

	if (!open)
		return 0;
	buffer = buffer__of(open);
	if (!buffer)
		return 0;
	now = bpf_ktime_get_ns();
	if (open->out_ns)
		open__heal_in(open, buffer, now);
	/* A register holds a bool in its lowest byte, and in the others anything. */
	cause = cause__of_switch(&open->syscall, task, (u8)ctx->args[0], ctx->args[3], &syscall);
	open__leaves_cpu(open, buffer, task, cause, now);
	return 0;
}

/* At the entry of finish_task_switch(), which a thread runs in first. */
SEC("kprobe")
int flow_in(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct flow_open *open = open__find(task->pid);
	struct flow_buffer *buffer;
	u64 now;

	if (!open)
		return 0;
	buffer = buffer__of(open);
	if (!buffer)
		return 0;
	now = bpf_ktime_get_ns();
	if (!open->out_ns)
		open__heal_out(open, buffer, task);
	open__gets_cpu(open, buffer, task->sched_info.run_delay - open->delay_at_out_ns, now);
	return 0;
}

/* At the entry of exit_mm_release(), the last that a thread does in the view: the call that it is in has no end. */
SEC("kprobe")
int flow_exit(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct flow_open *open = open__find(task->pid);

	if (!open)
		return 0;
	__sync_fetch_and_add(&counts.unended, 1);
	buffer__give_back(open->buffer);
	open__release(open);
	return 0;
}
