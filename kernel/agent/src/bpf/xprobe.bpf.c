// SPDX-License-Identifier: GPL-2.0
/*
 * The cpu-latency xprobe: probes on a function's entry and exits measure how long its calls
 * took; the scheduler's tracepoints tell how much of that the thread was off the CPU, and
 * why.
 */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "xprobe.h"
#include "thread.bpf.h"
#include "arch.bpf.h"
#include "account.bpf.h"
#include "edition.bpf.h"
#include "cost.bpf.h"
#include "frames.bpf.h"
#include "events.bpf.h"
#include "sites.bpf.h"

char LICENSE[] SEC("license") = "GPL";

static __always_inline void call__overflow(struct thread *t, u32 function, u32 class, u64 sp)
{
	calls__lose(function, XP_LOST_TOO_DEEP);
	cost__half(t, function, cost__of(function, class));
	if (class == XP_EXIT_URETPROBE)
		return;
	if (!one_stack)
		t->overflowed++;
	else if (!t->overflow_sp)
		t->overflow_sp = sp;
}

SEC("uprobe.multi")
int call_entry(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx), sp = PT_REGS_SP(ctx);
	u32 function = XP_COOKIE_FUNCTION(cookie), class = XP_COOKIE_CLASS(cookie), depth;
	struct task_struct *task = bpf_get_current_task_btf();
	struct xp_event_call *event = NULL;
	u64 reserved_ns = 0;
	struct moment m;
	struct thread *t;
	struct frame *f;
	bool on_alt;
	int i;

	if (task->tgid != target_tgid || !READ_ONCE(active))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!edition__begins(t, cookie))
		return 0;
	calls__add(function, calls);
	if (!t) {
		t = bpf_task_storage_get(&threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
		if (!t) {
			calls__lose(function, XP_LOST_NO_MEMORY);
			return 0;
		}
		t->edition = XP_COOKIE_EDITION(cookie);
	}
	thread__catch_up(t, task);
	if (!t->known) {
		t->known = 1;
		thread__rebase(t, task);
	}
	on_alt = sp__is_on_alt(task, sp);
	frames__drop(t, sp, on_alt, 0);
	t->jumped_sp = 0;
	if (sp > t->highest_sp)
		t->highest_sp = sp;

	if (t->depth >= XP_DEPTH)
		frames__purge(t);
	depth = t->depth;
	if (depth >= XP_DEPTH ||
	    (class == XP_EXIT_URETPROBE && t->uretprobes >= XP_URETPROBE_DEPTH)) {
		call__overflow(t, function, class, sp);
		return 0;
	}
	if (with_events)
		event = event__reserve(sizeof(*event), &reserved_ns);
	f = frame__at(t, depth);
	f->sp = sp;
	f->function = function;
	f->flags = (on_alt ? FRAME_ON_ALT : 0) |
		   (class == XP_EXIT_URETPROBE ? FRAME_URETPROBE : 0);
	f->returns_to = 0;
	if (!one_stack) {
		return_slot__read(sp, &f->returns_to);
		if (depth && frame__at(t, depth - 1)->sp < sp)
			t->unordered = 1;
	}
	f->overhead_ns = t->overhead_ns;
	f->uncertain_ns = t->uncertain_ns;
	if (class == XP_EXIT_URETPROBE)
		t->uretprobes++;
	t->depth = depth + 1;

	moment__take(&m, t, task);
	f->begin_ns = m.now_ns;
	t->probe_ns = m.now_ns;
	f->generation = m.generation;
	for (i = 0; i < XP_CAUSES; i++)
		f->off_ns[i] = m.off_ns[i];
	if (event) {
		event__head(&event->head, reserved_ns, XP_CALL_ENTRY, task->pid, m.cpu, m.now_ns);
		event->function = function;
		event->depth = depth;
		event__submit(event);
	} else {
		event__lost();
	}
	return 0;
}

/*
 * What the call that ends at m took, without what its probes and those within it cost.  More
 * than it took can't be taken off: what is too much then is wrong by as much.
 */
__noinline int times__take(struct times *times, struct moment *m, const struct frame *f,
			   __u64 overhead_ns, __u64 uncertain_ns)
{
	const u32 steal = XP_STEAL - XP_FIRST_CAUSE;
	u64 wall, off = 0, cut, missing;
	bool fits = true;
	int i;

	if (!times || !m || !f)
		return 0;
	wall = m->now_ns - f->begin_ns;
	times->causes = 0;
	/* Unrolled it would spill them all, and the deepest chain of calls has 512 bytes of stack. */
#pragma clang loop unroll(disable)
	for (i = 0; i < XP_CAUSES; i++) {
		/* In place, as there is no room for both. */
		m->off_ns[i] -= f->off_ns[i];
		if (i != steal)
			off += m->off_ns[i];
	}
	/* Can't be, unless a healed switch was misdated: keep the sum true. */
	if (off > wall) {
		fits = false;
		wall = off;
	}
	/* The kernel learns of stolen time at the next tick, maybe in a later, shorter call. */
	if (m->off_ns[steal] > wall - off)
		m->off_ns[steal] = wall - off;
	off += m->off_ns[steal];
	if (off) {
#pragma clang loop unroll(disable)
		for (i = 0; i < XP_CAUSES; i++)
			times->causes += m->off_ns[i] != 0;
	}

	cut = overhead_ns;
	if (cut > wall - off) {
		missing = cut - (wall - off);
		if (missing > uncertain_ns)
			fits = false;
		uncertain_ns += missing;
		cut = wall - off;
	}
	if (!fits)
		calls__add(f->function, inconsistent);
	times->removed_ns = cut;
	times->uncertain_ns = uncertain_ns;
	times->wall_ns = wall - cut;
	times->on_cpu_ns = wall - cut - off;
	return 0;
}

/* A return without a frame. */
static __always_inline void exit__unknown(struct thread *t, u32 function, u64 sp, bool on_alt)
{
	if (t->overflow_sp && sp <= t->overflow_sp) {
		if (sp == t->overflow_sp)
			t->overflow_sp = 0;
		return;
	}
	if (t->overflowed) {
		t->overflowed--;
		return;
	}
	frames__drop(t, sp, on_alt, 0);
	/* On one stack a call that began before the recording is outside all that were seen. */
	if (one_stack && sp > t->highest_sp)
		__sync_fetch_and_add(&counters.early_returns, 1);
	else
		calls__add(function, returns);
}

/* A call that ends, and what it took. */
struct ending {
	struct moment m;
	struct times times;
	u64 ended_ns;			/* where another one's end was its own, else 0 */
	u32 depth;
};

static __noinline void ending__measure(struct ending *end, struct thread *t,
				       const struct frame *f, struct task_struct *task,
				       const struct xp_cost *cost)
{
	u64 late_ns;

	moment__take(&end->m, t, task);
	late_ns = end->ended_ns ? end->m.now_ns - end->ended_ns : 0;
	times__take(&end->times, &end->m, f,
		    t->overhead_ns - f->overhead_ns + cost->inner_ns + late_ns,
		    t->uncertain_ns - f->uncertain_ns + cost->inner_spread_ns);
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
		event->off_ns[i] = end->m.off_ns[i];
	event__submit(event);
}

/*
 * The call of a frame ends, by an exit of this class.  Global, so that the verifier looks at
 * it once and its memory is not the callers'.
 */
__noinline int call__finish(struct thread *t, __u32 index, __u32 class, __u64 ended_ns)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct ending end = { .depth = index, .ended_ns = ended_ns };
	const struct xp_cost *cost;
	struct frame *f;
	u32 function;

	if (!t)
		return 0;
	f = frame__at(t, index);
	function = f->function;
	cost = cost__of(function, class);
	if (!with_events)
		ending__measure(&end, t, f, task, cost);
	else if (READ_ONCE(t->generation) != f->generation ||
		 !ending__report(&end, t, f, task, cost))
		ending__report_causes(&end, t, f, task, cost);
	t->probe_ns = end.m.now_ns;
	cost__call(function, cost, end.times.removed_ns, end.times.uncertain_ns);
	times__add(&end.times, end.m.off_ns, function);
	return 0;
}

#include "goes-on.bpf.h"

static __always_inline int call__end(u64 sp, u64 cookie)
{
	u32 function = XP_COOKIE_FUNCTION(cookie), class = XP_COOKIE_CLASS(cookie);
	bool cut = XP_COOKIE_KIND(cookie) != SITE_RET;
	struct task_struct *task = bpf_get_current_task_btf();
	const struct xp_cost *cost;
	struct thread *t;
	bool on_alt;
	int index;

	if (task->tgid != target_tgid || !READ_ONCE(active))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!edition__counts(t, cookie))
		return 0;
	if (!t) {
		calls__add(function, returns);
		return 0;
	}
	thread__catch_up(t, task);
	on_alt = sp__is_on_alt(task, sp);
	index = frames__find(t, sp, function);
	cost = cost__of(function, class);
	if (index < 0) {
		cost__half(t, function, cost);
		if (frames__find_waiting(t, sp) >= 0)
			calls__end_waiting(t, sp, class, cut, 0);
		else if (!function__is_off(function))
			exit__unknown(t, function, sp, on_alt);
		return 0;
	}
	if (cut)
		calls__add(function, cut);
	call__finish(t, index, class, 0);
	frames__remove(t, index, sp, on_alt);
	if (t->waiting) {
		/* For those that end with it, what lies between its entry and now. */
		t->overhead_ns += cost->inner_ns;
		calls__end_waiting(t, sp, class, cut, t->probe_ns);
		t->overhead_ns -= cost->inner_ns;
	}
	thread__pays(t, cost);
	return 0;
}

static __always_inline int site__passed(u64 cookie)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;

	if (task->tgid != target_tgid || !READ_ONCE(active))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (edition__counts(t, cookie))
		cost__pass(t, XP_COOKIE_FUNCTION(cookie), XP_COOKIE_CLASS(cookie));
	return 0;
}

SEC("uretprobe.multi")
int call_return(struct pt_regs *ctx)
{
	return call__end(REGS_SP_BEFORE_RETURN(ctx), bpf_get_attach_cookie(ctx));
}

SEC("uprobe.multi")
int call_exit_site(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);

	enum site_end end = site__end(ctx, cookie);

	if (end == SITE_PASSES)
		return site__passed(cookie);
	if (end == SITE_LEAVES && !XP_COOKIE_AFTER(cookie))
		return call__end(PT_REGS_SP(ctx), cookie);
	call__goes_on(PT_REGS_SP(ctx), cookie, end);
	return site__passed(cookie);
}

/* An end of a function that is not measured, for the calls that may go on in it. */
SEC("uprobe.multi")
int call_hidden_site(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);

	enum site_end end = site__end(ctx, cookie);

	if (end != SITE_PASSES)
		waiting__pass(PT_REGS_SP(ctx), cookie, end);
	return site__passed(cookie);
}

#include "switches.bpf.h"
#include "processes.bpf.h"
