/* SPDX-License-Identifier: GPL-2.0 */
/* How what happens in a call is written down. */
#ifndef KVIEW_FLOW_STEPS_BPF_H
#define KVIEW_FLOW_STEPS_BPF_H

/* An interrupt has another stack, and what it calls is not the call's; some of that runs as if it were a task. */
static __always_inline bool is_on_stack(const struct flow_open *open, struct task_struct *task, u64 sp)
{
	return sp > (u64)task->stack && sp <= open->top;
}

static __always_inline u32 depth__of(const struct flow_open *open, u64 sp)
{
	return (open->top - sp) / sizeof(u64) & FLOW_DEPTH_MASK;
}

static __always_inline void word(struct flow_open *open, struct flow_buffer *buffer, u64 word)
{
	u32 at = open->nr;

	/* The verifier forgets what the caller has compared. */
	asm volatile("" : "+r"(at));
	if (at >= FLOW_WORDS)
		return;
	buffer->words[at] = word;
	open->nr = at + 1;
}

/* Whether there is room for the step; once there was none, there is none for any other one. */
static __always_inline bool has_room(struct flow_open *open, u32 words)
{
	if (!open->cut && open->nr + words <= FLOW_WORDS)
		return true;
	open->cut++;
	return false;
}

static __always_inline u64 since_last(struct flow_open *open, u64 now)
{
	u64 since = now > open->last_ns ? now - open->last_ns : 0;

	open->last_ns = now;
	return since;
}

/* Returns whether it found room, and words more behind it would. */
static __always_inline bool step__with(struct flow_open *open, struct flow_buffer *buffer, u64 kind, u64 function,
				       u64 depth, u64 now, u32 more)
{
	u64 since = since_last(open, now);

	if (!has_room(open, 2 + more))
		return false;
	if (since > FLOW_TIME_MASK)
		word(open, buffer, (u64)FLOW_KIND_LATER << FLOW_KIND_SHIFT | (since & FLOW_NUMBER_MASK & ~FLOW_TIME_MASK));
	word(open, buffer, kind << FLOW_KIND_SHIFT | (function & FLOW_FUNCTION_MASK) << FLOW_FUNCTION_SHIFT |
	     depth << FLOW_DEPTH_SHIFT | (since & FLOW_TIME_MASK));
	return true;
}

static __always_inline void step(struct flow_open *open, struct flow_buffer *buffer, u64 kind, u64 function, u64 depth,
				 u64 now)
{
	step__with(open, buffer, kind, function, depth, now, 0);
}

static __always_inline void open__leaves_cpu(struct flow_open *open, struct flow_buffer *buffer,
					     struct task_struct *task, u8 cause, u64 now)
{
	step(open, buffer, FLOW_KIND_OUT, cause, 0, now);
	open->out_ns = now;
	open->cause = cause;
	open->delay_at_out_ns = task->sched_info.run_delay;
	open->switches++;
}

static __always_inline void open__gets_cpu(struct flow_open *open, struct flow_buffer *buffer, u64 queue_ns, u64 now)
{
	u64 away = now > open->out_ns ? now - open->out_ns : 0;

	open->out_ns = 0;
	open->off_ns += away;
	if (queue_ns > away)
		queue_ns = away;
	/* All that time it waited for its CPU, for the reason that is told already. */
	if (open->cause == XP_PREEMPTED || open->cause == XP_THROTTLED)
		queue_ns = 0;
	if (step__with(open, buffer, FLOW_KIND_IN, 0, 0, now, 1) && queue_ns)
		word(open, buffer, (u64)FLOW_KIND_QUEUE << FLOW_KIND_SHIFT | (queue_ns & FLOW_NUMBER_MASK));
}

/*
 * It has left its CPU and runs, and nobody saw it come back: it can have been at any moment up to now, and is taken to be
 * the last one, so that no wait is told as time on a CPU.
 */
static __always_inline void open__heal_in(struct flow_open *open, struct flow_buffer *buffer, u64 now)
{
	open->unseen++;
	open__gets_cpu(open, buffer, 0, now);
}

/* It comes back, and nobody saw it leave: that was after its last step. */
static __always_inline void open__heal_out(struct flow_open *open, struct flow_buffer *buffer, struct task_struct *task)
{
	u64 delay = task->sched_info.run_delay;

	open->unseen++;
	open__leaves_cpu(open, buffer, task, cause__of_unreported(&open->syscall, task), open->last_ns);
	open->delay_at_out_ns = delay;
}

/* Of the flags that a function was called or left with: that the CPU takes interrupts. */
#define TAKES_INTERRUPTS	(1U << 9)

/*
 * Between its leaving and its coming back a thread is still there for a moment, before the switch and after it: what the
 * kernel calls then is the switch itself (__switch_to_xtra() where the thread is already the new one).  All of that is done with
 * interrupts off, and finish_task_switch() puts them on.  So where they are on, the switch is over and its end was not
 * seen.
 */
static __always_inline bool open__is_out(struct flow_open *open, struct flow_buffer *buffer, u64 flags)
{
	if (!open->out_ns)
		return false;
	if (!(flags & TAKES_INTERRUPTS))
		return true;
	open__heal_in(open, buffer, bpf_ktime_get_ns());
	return false;
}

#endif
