/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The scheduler's clock of this CPU, at any moment.  The run queue has it as of the last look at it, and no eBPF function
 * tells it.  But the kernel says of a perf event how long it has been enabled, by that very clock:
 *
 *	rq->clock	0 ---------------------- seen		as the scheduler looked at it, a moment before a switch
 *	event		     0 ----------------------- enabled	now
 *			-----> ahead_ns, the most of seen - enabled
 *
 * One event for each CPU is open while a recording needs it, of a kind that never happens: it costs nobody anything.
 */
#ifndef KVIEW_CPU_CLOCK_BPF_H
#define KVIEW_CPU_CLOCK_BPF_H

static __always_inline u32 this_cpu(void)
{
	return BOUND(bpf_get_smp_processor_id(), XP_MAX_CPUS - 1);
}

/* Set before load: threads' switches are told by events of their own, see own-switches.bpf.h. */
volatile const bool own_switches;

struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__type(key, u32);
	__type(value, u32);
} cpu_clock_events SEC(".maps");

struct event_clock {
	u64 ahead_ns;		/* of the time that the CPU's event has been enabled; 0: not known yet */
	u64 left_ns;		/* when a thread last left the CPU that has an event of its own */
} __attribute__((aligned(64)));

static struct event_clock event_clocks[XP_MAX_CPUS];

/* A look at both clocks that was interrupted says nothing. */
#define LOOK_MOST_NS	2000

static __always_inline bool event_clock__read(u64 *enabled_ns, u64 *now_ns)
{
	struct bpf_perf_event_value value = { 0 };
	u64 before;
	int try;

#pragma clang loop unroll(disable)
	for (try = 0; try < 3; try++) {
		before = bpf_ktime_get_ns();
		if (bpf_perf_event_read_value(&cpu_clock_events, BPF_F_CURRENT_CPU, &value, sizeof(value)))
			return false;
		*now_ns = bpf_ktime_get_ns();
		if (*now_ns - before < LOOK_MOST_NS)
			break;
	}
	*enabled_ns = value.enabled;
	return true;
}

static __always_inline bool cpu_clock__is_known(void)
{
	return READ_ONCE(event_clocks[this_cpu()].ahead_ns);
}

/* The scheduler's clock, and CLOCK_MONOTONIC at the same moment.  False: it is not known on this CPU. */
static __always_inline bool cpu_clock__read(u64 *clock_ns, u64 *now_ns)
{
	u64 ahead = READ_ONCE(event_clocks[this_cpu()].ahead_ns);

	if (!ahead || !event_clock__read(clock_ns, now_ns))
		return false;
	*clock_ns += ahead;
	return true;
}

/* The scheduler has just looked at its clock, the sooner the better: so the most that is seen is right.  Returns what it is now, or 0. */
static __always_inline u64 cpu_clock__see(struct rq *rq)
{
	u64 *ahead = &event_clocks[this_cpu()].ahead_ns, enabled, now, seen;

	if (!rq || !event_clock__read(&enabled, &now))
		return 0;
	seen = rq->clock - enabled;
	if (!*ahead || (s64)(seen - *ahead) > 0)
		WRITE_ONCE(*ahead, seen);
	return enabled + *ahead;
}

/* Behind all that looks at when the thread came. */
static __always_inline void cpu_clock__is_left(u64 clock_ns)
{
	WRITE_ONCE(event_clocks[this_cpu()].left_ns, clock_ns);
}

/* Others may have events of the thread as well. */
#define MOST_EVENTS		8

/*
 * When the thread's events were put on this CPU, which is what it does first there: 0 if unknown.  Whoever reads one of them
 * makes it later, but nobody reads its own.
 */
static __always_inline u64 task__events_began(struct task_struct *task)
{
	struct perf_event_context *context = BPF_CORE_READ(task, perf_event_ctxp);
	u64 offset, began = 0, at;
	struct list_head *entry;
	struct perf_event *event;
	int i;

	if (!context)
		return 0;
	offset = BPF_CORE_READ(context, timeoffset);
	entry = BPF_CORE_READ(context, event_list.next);
#pragma clang loop unroll(disable)
	for (i = 0; i < MOST_EVENTS && entry && entry != &context->event_list; i++) {
		event = (void *)entry - bpf_core_field_offset(struct perf_event, event_entry);
		if (BPF_CORE_READ(event, state) == PERF_EVENT_STATE_ACTIVE) {
			at = BPF_CORE_READ(event, tstamp) - offset;
			if (!began || (s64)(at - began) < 0)
				began = at;
		}
		entry = BPF_CORE_READ(event, event_entry.next);
	}
	return began;
}

/*
 * When a thread came to this CPU that has not left it since, by the scheduler's clock.  The scheduler dates it back to when it last
 * looked at that, which may be at the wake-up.  Of two threads of which one follows the other the kernel leaves the events where they
 * are, as they are alike: but then the first one was seen to leave.
 */
static __always_inline u64 task__came(struct task_struct *task)
{
	u64 came = task->sched_info.last_arrival, began = task__events_began(task);
	u64 left = READ_ONCE(event_clocks[this_cpu()].left_ns);

	if ((s64)(began - came) > 0)
		came = began;
	return (s64)(left - came) > 0 ? left : came;
}

#endif
