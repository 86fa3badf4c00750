/* SPDX-License-Identifier: GPL-2.0 */
/* A call that begins and ends: what it took, and that it is counted and told. */
#ifndef KVIEW_ENDINGS_BPF_H
#define KVIEW_ENDINGS_BPF_H

__noinline int metric__add(__u32 index, __u64 value)
{
	metric__count(index, value, false);
	return 0;
}

static __always_inline void times__add(const struct times *times, const u64 *off_ns, u32 function)
{
	u32 index = slot__index(function) * XP_SETS;
	int i;

	if (!times->causes) {
		metric__count(index + XP_UNDIVIDED, times->wall_ns, true);
		return;
	}
	for (i = 0; i < XP_CAUSES; i++)
		if (off_ns[i])
			metric__add(index + XP_FIRST_CAUSE + i, off_ns[i]);
	metric__add(index + XP_WALL, times->wall_ns);
	metric__add(index + XP_ON_CPU, times->on_cpu_ns);
}

/* The time off the CPU within a call, by cause: returns the sum of it, at most wall_ns. */
__noinline __u64 call__off_ns(struct thread *t, const struct frame *f)
{
	const u32 steal = XP_STEAL - XP_FIRST_CAUSE;
	u64 wall, stolen, off = 0;
	struct ending *end;
	int i;

	if (!t || !f)
		return 0;
	end = &t->ending;
	wall = end->m.now_ns - f->begin_ns;
	/* Less than at the entry: the base is another one, as a switch was not seen. */
	stolen = end->m.steal_ns > f->steal_ns ? end->m.steal_ns - f->steal_ns : 0;
	/* Unrolled it would spill them all; the deepest chain of calls has 512 bytes. */
#pragma clang loop unroll(disable)
	for (i = 0; i < OFFS; i++) {
		end->off_ns[i] = end->m.generation == f->generation ? 0 :
				    end->off_ns[i] - f->off_ns[i];
		if (i < XP_CAUSES && i != steal)
			off += end->off_ns[i];
	}
	end->times.waited_ns = end->off_ns[OFF_IN_PROBE];
	if (end->times.waited_ns > wall)
		end->times.waited_ns = wall;
	end->times.waited_squares = end->off_ns[OFF_IN_PROBE_SQUARES];
	end->times.uncertain_ns += end->off_ns[OFF_UNCERTAIN];
	wall -= end->times.waited_ns;
	/* The kernel learns of stolen time at the next tick, maybe in a later, shorter call. */
	if (off > wall) {
		causes__shorten(end, off - wall);
		off = wall;
	}
	if (stolen > wall - off)
		stolen = wall - off;
	end->off_ns[steal] = stolen;
	off += stolen;
#pragma clang loop unroll(disable)
	for (i = 0; off && i < XP_CAUSES; i++)
		end->times.causes += end->off_ns[i] != 0;
	return off;
}

/*
 * What the call took, without what its probes and those within it cost.  More than it took
 * can't be taken off: what is too much then is wrong by as much.
 */
static __always_inline void times__take(struct ending *end, struct thread *t,
					const struct frame *f, u64 overhead_ns, u64 uncertain_ns)
{
	u64 wall = end->m.now_ns - f->begin_ns, off = 0, cut = overhead_ns, missing;
	struct times *times = &end->times;
	bool fits = true;

	times->causes = 0;
	times->missing_ns = 0;
	times->waited_ns = 0;
	times->excess_ns = 0;
	times->uncertain_ns = uncertain_ns;
	/* Else nothing can have kept it off the CPU. */
	if (end->m.generation != f->generation || end->m.steal_ns != f->steal_ns)
		off = call__off_ns(t, f);
	wall -= times->waited_ns;
	times->removed_ns = overhead_ns + times->waited_ns;
	/*
	 * This can't happen unless the time of an unreported switch was rebuilt wrongly.  The
	 * result may still be wrong by that much.
	 */
	if (times->excess_ns) {
		fits = false;
		times->uncertain_ns += times->excess_ns;
	}
	if (cut > wall - off) {
		missing = cut - (wall - off);
		if (missing > times->uncertain_ns)
			fits = false;
		times->missing_ns = missing;
		cut = wall - off;
	}
	if (!fits)
		calls__add(f->function, inconsistent);
	times->wall_ns = wall - cut;
	times->on_cpu_ns = wall - cut - off;
}

static __always_inline void ending__measure(struct ending *end, struct thread *t,
				       const struct frame *f, struct task_struct *task,
				       const struct xp_cost *cost)
{
	s32 open_ns = t->open_ns - f->open_ns;
	s32 open_spread_ns = t->open_spread_ns - f->open_spread_ns;
	u64 late_ns;

	moment__take(&end->m, t, task, f->generation, end->off_ns);
	/*
	 * If it lost the CPU since then, its counters already contain most of that time, which
	 * must not count twice.
	 */
	late_ns = end->ended_ns && end->m.generation == end->ended.generation &&
		  end->m.steal_ns == end->ended.steal_ns ? end->m.now_ns - end->ended_ns : 0;
	times__take(end, t, f,
		    t->overhead_ns - f->overhead_ns + open_ns + cost->inner_ns + late_ns,
		    t->uncertain_ns - f->uncertain_ns + cost->inner_spread_ns +
		    (open_spread_ns < 0 ? -open_spread_ns : open_spread_ns));
}

static __always_inline void event__exit(struct xp_event_exit *event, u64 reserved_ns,
					const struct frame *f, u32 tid, const struct ending *end)
{
	event__head(&event->call.head, reserved_ns, XP_CALL_EXIT, tid, end->m.cpu, end->m.now_ns);
	event->call.head.cause = end->times.causes;
	event->call.function = f->function;
	event->call.depth = end->depth;
	event->begin_ns = f->begin_ns;
	event->wall_ns = end->times.wall_ns;
	event->on_cpu_ns = end->times.on_cpu_ns;
}

/*
 * Measures and reports a call that was on the CPU all the time.  False: it was not, by
 * stolen time or a switch since it was looked at.
 */
static __always_inline bool ending__report(struct ending *end, struct thread *t,
					   const struct frame *f, struct task_struct *task,
					   const struct xp_cost *cost)
{
	struct xp_event_exit *event;
	u64 reserved_ns;

	event = event__reserve(sizeof(*event), &reserved_ns);
	ending__measure(end, t, f, task, cost);
	if (!event) {
		event__lost();
		return true;
	}
	if (end->times.causes) {
		bpf_ringbuf_discard(event, BPF_RB_NO_WAKEUP);
		return false;
	}
	event__exit(event, reserved_ns, f, task->pid, end);
	event__submit(event);
	return true;
}

static __always_inline void ending__report_causes(struct ending *end, struct thread *t,
						  const struct frame *f, struct task_struct *task,
						  const struct xp_cost *cost)
{
	struct xp_event_exit_causes *event;
	u64 reserved_ns;
	int i;

	event = event__reserve(sizeof(*event), &reserved_ns);
	ending__measure(end, t, f, task, cost);
	if (!event) {
		event__lost();
		return;
	}
	event__exit(&event->exit, reserved_ns, f, task->pid, end);
	for (i = 0; i < XP_CAUSES; i++)
		event->off_ns[i] = end->times.causes ? end->off_ns[i] : 0;
	event__submit(event);
}

/*
 * No thread is in more calls of a function than it has frames up to the deepest one of these:
 * that bounds what all of them take.
 */
static __always_inline void thread__enters(struct thread *t, struct frame *f, u32 function, u32 depth)
{
	struct entered *e = &t->entered[BOUND(function, XP_ENTERED - 1)];
	struct xp_calls *sums;

	if (e->function == (u16)(function + 1) && e->places > depth)
		return;
	sums = calls__of(function);
	if (!sums)
		return;
	if (!e->function)
		thread__pays_first(t, f);
	if (e->function != (u16)(function + 1)) {
		e->function = function + 1;
		e->places = 0;
		__sync_fetch_and_add(&sums->threads, 1);
	}
	__sync_fetch_and_add(&sums->places, depth + 1 - e->places);
	e->places = depth + 1;
}

/* A call was measured: those within it are part of it from now on. */
static __always_inline void call__encloses(struct thread *t, const struct frame *f, u64 wall_ns)
{
	struct xp_calls *sums;

	if (t->inner_ns != f->inner_ns) {
		sums = calls__of(f->function);
		if (sums)
			__sync_fetch_and_add(&sums->inner_ns, t->inner_ns - f->inner_ns);
	}
	t->inner_ns = f->inner_ns + wall_ns;
}

/* The call of a frame is over; what its probes cost is of this class.  depth: of its event. */
static __always_inline void call__measured(struct thread *t, const struct frame *f, u32 class,
					   u32 depth, u64 ended_ns, struct task_struct *task)
{
	const struct xp_cost *cost = cost__of_class(class);
	struct ending *end = &t->ending;

	end->depth = depth;
	end->ended_ns = ended_ns;
	if (!with_events)
		ending__measure(end, t, f, task, cost);
	else if (READ_ONCE(t->generation) != f->generation ||
		 !ending__report(end, t, f, task, cost))
		ending__report_causes(end, t, f, task, cost);
	/* The call was long, or slept: the probe at its end is rested as well. */
	end->times.uncertain_ns += thread__rested(t, f->function, class, t->probe_ns, end->m.now_ns);
	t->probe_ns = end->m.now_ns;
	times__add(&end->times, end->off_ns, f->function);
	/* Who sees that it ended finds it in the histograms. */
	cost__call(f->function, class, &end->times);
}

#endif
