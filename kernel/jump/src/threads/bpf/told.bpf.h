/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of threads: that they leave their CPUs, are woken, come back, and end.  As those of traps, but that they are of all
 * threads of the process, whether or not they come to a measured function: the stamps tell nobody which ones do.
 */
#ifndef KVIEW_JUMP_TOLD_BPF_H
#define KVIEW_JUMP_TOLD_BPF_H

/* Set before load. */
volatile const bool with_events;
/* From when calls are counted on, and no longer. */
bool tells;

static __always_inline u32 this_cpu(void)
{
	return BOUND(bpf_get_smp_processor_id(), XP_MAX_CPUS - 1);
}

#include "events.bpf.h"

static __always_inline bool is_told(void)
{
	return with_events && READ_ONCE(tells);
}

static __always_inline void told__leaves(struct away *a, struct task_struct *task, long syscall)
{
	struct xp_event_switch_out *event;
	u64 reserved_ns;

	if (!is_told())
		return;
	event = event__reserve(sizeof(*event), &reserved_ns);
	a->out_ns = bpf_ktime_get_ns();
	a->wake_ns = 0;
	if (!event) {
		event__lost();
		return;
	}
	event__head(&event->head, reserved_ns, XP_SWITCH_OUT, task->pid, this_cpu(), a->out_ns);
	event->head.cause = a->cause;
	event->syscall = syscall;
	event->reserved = 0;
	event__submit(event);
}

/*
 * Before what it was away for is known.  unseen_ns: how long that was, if nobody told that it left.  If it left before anything was told,
 * that is the recording's first of it, as for threads of traps.
 */
static __always_inline void told__returns(struct away *a, struct task_struct *task, u64 unseen_ns)
{
	struct xp_event_switch_in *event;
	u64 reserved_ns, now, out, wake;

	if (!is_told() || (!a->out_ns && !unseen_ns))
		return;
	event = event__reserve(sizeof(*event), &reserved_ns);
	now = bpf_ktime_get_ns();
	out = a->out_ns ? a->out_ns : now - unseen_ns;
	wake = a->cause == XP_PREEMPTED || a->cause == XP_THROTTLED ? out : a->wake_ns;
	if (wake < out || wake > now)
		wake = now;
	a->out_ns = a->wake_ns = 0;
	if (!event) {
		event__lost();
		return;
	}
	event__head(&event->head, reserved_ns, XP_SWITCH_IN, task->pid, this_cpu(), now);
	event->off_ns = now - out;
	event->queued_ns = now - wake;
	event__submit(event);
}

/* Nobody told that it came back: that absence has no end in the trace, as with traps, and is no part of the next one. */
static __always_inline void told__is_back(struct away *a)
{
	a->out_ns = a->wake_ns = 0;
}

static __always_inline void told__is_woken(struct away *a, struct task_struct *task)
{
	struct xp_event_wakeup *event;
	u64 reserved_ns;

	if (!is_told() || !a->out_ns || a->wake_ns)
		return;
	event = event__reserve(sizeof(*event), &reserved_ns);
	a->wake_ns = bpf_ktime_get_ns();
	if (!event) {
		event__lost();
		return;
	}
	event__head(&event->head, reserved_ns, XP_WAKEUP, task->pid, this_cpu(), a->wake_ns);
	event->waker_tid = a->waker_tid;
	__builtin_memcpy(event->waker_comm, a->waker_comm, sizeof(event->waker_comm));
	event->reserved = 0;
	event__submit(event);
}

static __always_inline void told__ends(struct task_struct *task)
{
	struct xp_event *event;
	u64 reserved_ns;

	if (!is_told())
		return;
	event = event__reserve(sizeof(*event), &reserved_ns);
	if (!event) {
		event__lost();
		return;
	}
	event__head(event, reserved_ns, XP_THREAD_EXIT, task->pid, this_cpu(), bpf_ktime_get_ns());
	event__submit(event);
}

#endif
