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
#include "mechanism/cost/bpf/thread-costs.h"
#include "base.bpf.h"
#include "raises.bpf.h"
#include "causes.bpf.h"
#include "thread.bpf.h"
#include "inner.bpf.h"
#include "scheduler.bpf.h"
#include "moments.bpf.h"
#include "excess.bpf.h"
#include "arch.bpf.h"
#include "figures.bpf.h"
#include "account.bpf.h"
#include "conditions.bpf.h"
#include "edition.bpf.h"
#include "mechanism/cost/bpf/cost.bpf.h"
#include "probe-cost.bpf.h"
#include "cgroup.bpf.h"
#include "hit.bpf.h"
#include "returns.bpf.h"
#include "pairs.bpf.h"
#include "step-page.bpf.h"
#include "trap.bpf.h"
#include "stray-places.bpf.h"
#include "measures.bpf.h"
#include "frames.bpf.h"
#include "strays.bpf.h"
#include "events.bpf.h"
#include "endings.bpf.h"
#include "splits.bpf.h"
#include "arguments.bpf.h"
#include "sites.bpf.h"

char LICENSE[] SEC("license") = "GPL";

/* How much longer functions of the kernel may take that a probe is met in: see inner.bpf.h. */
__u64 most_probe_ns;

/* There is no room to follow it, in this way. */
static __always_inline void call__overflow(struct thread *t, u32 function, u32 class, u64 sp, u32 test, enum xp_lost way)
{
	calls__lose_at_entry(function, test, way);
	cost__half(t, function, cost__of(function, class));
	if (class == XP_EXIT_URETPROBE)
		return;
	if (!one_stack)
		t->overflowed++;
	else if (!t->overflow_sp)
		t->overflow_sp = sp;
}

/* False: the call is not followed, nobody waits for its end. */
static __always_inline bool call__enter(struct pt_regs *ctx, struct task_struct *task, u64 cookie)
{
	u64 sp = sp__of_call(ctx);
	u32 function = XP_COOKIE_FUNCTION(cookie), class = XP_COOKIE_CLASS(cookie), depth;
	struct xp_event_call *event = NULL;
	u64 reserved_ns = 0;
	struct moment m;
	struct thread *t;
	struct frame *f;
	u32 test = XP_MATCHES;
	bool on_alt;

	if (!is_active())
		return false;
	if (!task__is_target(task)) {
		others__pay(function, class);
		return false;
	}
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!edition__begins(t, cookie))
		return false;
	if (has_conditions) {
		test = condition__at_entry(ctx, function);
		/* Else its end is met, or is that of another call, which went on to this one. */
		if (test == XP_DIFFERS && asks_at_entry && class == XP_EXIT_URETPROBE &&
		    !(calls_go_on && t && t->waiting && t->jumped_sp == sp)) {
			calls__add(function, unmatched);
			cost__unmatched(t, function, XP_COST_CALL(XP_COOKIE_STEPPED(cookie) ? XP_ENTRY_STEPPED :
								  XP_ENTRY_EMULATED, class));
			return false;
		}
	}
	calls__add(function, calls);
	if (asks_at_entry && class == XP_EXIT_URETPROBE && !returns__may_be_replaced()) {
		calls__lose_at_entry(function, test, XP_LOST_END_UNSEEN);
		cost__half(t, function, cost__of(function, class));
		return false;
	}
	if (!t) {
		t = thread__new(task);
		if (!t) {
			calls__lose_at_entry(function, test, XP_LOST_NO_MEMORY);
			return false;
		}
		t->edition = XP_COOKIE_EDITION(cookie);
	}
	thread__catch_up(t);
	if (!t->known) {
		t->known = 1;
		task__comes(task);
		thread__starts_inner(t);
		thread__rebase(t, task);
		ways_in__look();
		__sync_fetch_and_add(&counters.threads, 1);
	}
	on_alt = sp__is_on_alt(task, sp);
	strays__drop(t, sp, task->pid, true);
	frames__drop(t, sp__of_thread(sp), on_alt, 0);
	if (calls_are_pairs)
		frames__give_up_same(t, function, place__of_begin(ctx));
	t->jumped_sp = 0;
	if (sp > t->highest_sp)
		t->highest_sp = sp;

	if (t->depth >= XP_DEPTH)
		frames__purge(t);
	depth = t->depth;
	if (depth >= XP_DEPTH ||
	    (class == XP_EXIT_URETPROBE && uretprobes__pending(t, task) >= XP_URETPROBE_DEPTH)) {
		call__overflow(t, function, class, sp, test, XP_LOST_TOO_DEEP);
		return false;
	}
	if (!measures__have_room(task)) {
		call__overflow(t, function, class, sp, test, XP_LOST_NO_MEMORY);
		return false;
	}
	if (with_events && test != XP_DIFFERS)
		event = event__reserve(sizeof(*event), &reserved_ns);
	f = frame__at(t, depth);
	f->sp = sp;
	f->function = function;
	f->flags = (on_alt ? FRAME_ON_ALT : 0) |
		   (class == XP_EXIT_URETPROBE ? FRAME_URETPROBE | frame__edition(cookie) : 0) |
		   (XP_COOKIE_STEPPED(cookie) ? FRAME_STEPPED : 0);
	f->class = call__class(f, class);
	if (has_conditions && test != XP_MATCHES)
		f->flags |= test == XP_DIFFERS ? FRAME_DIFFERS : FRAME_UNDECIDED;
	f->test = test;
	if (has_splits && test != XP_DIFFERS)
		f->argument = split__at_entry(ctx, function);
	if (calls_are_pairs)
		f->argument = place__of_begin(ctx);
	f->returns_to = 0;
	/* A stack that is unwound later has to be known as it was before the kernel replaced that. */
	if (!calls_are_pairs && (!one_stack || is_measured(XP_MEASURE_IO) || (with_waits && class == XP_EXIT_URETPROBE)))
		return_slot__read(sp, &f->returns_to);
	if (!one_stack) {
		if (depth && frame__at(t, depth - 1)->sp < sp)
			t->unordered = 1;
	}
	f->overhead_ns = t->overhead_ns;
	f->uncertain_ns = t->uncertain_ns;
	f->inner_ns = t->inner_ns;
	thread__opens(t, f);
	thread__enters(t, f, function, depth);
	if (class == XP_EXIT_URETPROBE)
		t->uretprobes++;
	t->depth = depth + 1;
	measures__begin(task, depth);

	moment__take(&m, t, task, f->generation, f->off_ns);
	call__begins_at(t, f, m.now_ns);
	f->steal_ns = m.steal_ns;
	f->generation = m.generation;
	if (event) {
		event__head(&event->head, reserved_ns, XP_CALL_ENTRY, task->pid, m.cpu, m.now_ns);
		event->function = function;
		event->depth = depth;
		event__submit(event);
	} else if (test != XP_DIFFERS) {
		event__lost();
	}
	return true;
}

SEC("uprobe.multi")
int call_entry(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);
	u64 *mark;

	mark = probe__begins(most_probe_ns);
	call__enter(ctx, bpf_get_current_task_btf(), cookie);
	probe__uses_page(XP_COOKIE_STEPPED(cookie), XP_COOKIE_CLASS(cookie) == XP_EXIT_URETPROBE);
	program__ends(mark);
	return 0;
}

#include "finish.bpf.h"
#include "goes-on.bpf.h"

/* is_own: the end of a call that this very link saw begin, so that no other one sees it. */
static __always_inline int call__end(struct pt_regs *ctx, struct task_struct *task, u64 sp, u64 cookie,
				     bool is_own)
{
	u32 function = XP_COOKIE_FUNCTION(cookie), class = XP_COOKIE_CLASS(cookie);
	bool cut = XP_COOKIE_KIND(cookie) != SITE_RET;
	const struct xp_cost *cost;
	struct thread *t;
	u32 fate = FATE_MEASURED;
	bool on_alt, is_hidden;
	int index;

	if (!is_active())
		return 0;
	if (!task__is_followed(task)) {
		others__pay(function, class);
		return 0;
	}
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (!is_own && !edition__counts(t, cookie))
		return 0;
	if (!t && call__is_inherited(task))
		return 0;
	if (!t) {
		is_hidden = state__is_hidden(task);
		/* On one stack nobody else can have entered for it, so the call began before the recording. */
		if (one_stack && !is_hidden) {
			__sync_fetch_and_add(&counters.early_returns, 1);
		} else {
			calls__add(function, returns);
			calls__add(function, stateless);
		}
		stray__note(sp, is_hidden ? STRAY_UNSEEN : task->pid);
		return 0;
	}
	thread__catch_up(t);
	thread__sees_result(t, PT_REGS_RC(ctx), cut);
	on_alt = sp__is_on_alt(task, sp);
	strays__drop(t, sp, task->pid, false);
	index = frames__find(t, sp, function);
	if (index < 0) {
		cost__half(t, function, cost__of(function, class));
		if (frames__find_waiting(t, sp) >= 0)
			calls__end_waiting(t, sp, class, cut, 0);
		else if (!function__is_off(function) && !call__is_inherited(task))
			exit__unknown(t, function, sp, on_alt, task->pid);
		return 0;
	}
	cost = cost__of_call(frame__at(t, index), class);
	if (has_conditions) {
		fate = frame__fate(frame__at(t, index), cut, t->ending.returned);
		if (fate == FATE_UNMATCHED_AT_ENTRY)
			cost = cost__of_unmatched(call__class(frame__at(t, index), class));
	}
	if (cut && fate == FATE_MEASURED)
		calls__add(function, cut);
	/* Each call of a function costs some ns; with events there is too much for one place. */
	if (fate == FATE_MEASURED && with_events)
		call__finish(t, index, class, 0);
	else if (fate == FATE_MEASURED)
		frame__finish(t, index, class, 0, task);
	if (has_splits && fate == FATE_MEASURED)
		split__count(t, frame__at(t, index), call__class(frame__at(t, index), class));
	if (measures && fate == FATE_MEASURED)
		measures__count(frame__at(t, index), index);
	frames__remove(t, index, sp__of_thread(sp), on_alt);
	if (calls_go_on && t->waiting) {
		/* For those that end with it, what lies between its entry and now. */
		t->overhead_ns += cost->inner_ns;
		t->ending.ended = t->ending.m;
		calls__end_waiting(t, sp, class, cut, fate == FATE_MEASURED ? t->probe_ns : 0);
		t->overhead_ns -= cost->inner_ns;
	}
	thread__pays(t, cost);
	return 0;
}

static __always_inline int site__passed(u64 cookie)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct thread *t;

	if (!is_active() || !task__is_followed(task))
		return 0;
	t = bpf_task_storage_get(&threads, task, NULL, 0);
	if (edition__counts(t, cookie))
		cost__pass(t, XP_COOKIE_FUNCTION(cookie), XP_COOKIE_CLASS(cookie));
	return 0;
}

SEC("uretprobe.multi")
int call_return(struct pt_regs *ctx)
{
	u64 *mark = probe__begins(most_probe_ns);

	probe__came_by_page();
	call__end(ctx, bpf_get_current_task_btf(), REGS_SP_BEFORE_RETURN(ctx), bpf_get_attach_cookie(ctx), false);
	program__ends(mark);
	return 0;
}

/* Both ends of a call; the kernel replaces the return address where the entry answers 0. */
static __always_inline int call__both_ends(struct pt_regs *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct hit hit;
	bool followed;
	u64 *mark;

	if (!bpf_ksym_exists(bpf_session_is_return))
		return 0;
	hit = hit__of(ctx, task);
	mark = probe__begins(most_probe_ns);
	if (hit.is_return) {
		probe__came_by_page();
		call__end(ctx, task, REGS_SP_BEFORE_RETURN(ctx), hit.cookie, true);
		program__ends(mark);
		return 0;
	}
	followed = call__enter(ctx, task, hit.cookie);
	probe__uses_page(XP_COOKIE_STEPPED(hit.cookie), followed);
	program__ends(mark);
	return !followed;
}

/*
 * It never sleeps, and says that it may: the kernel then need not take the RCU lock at each end, as it holds that of sleeping
 * programs for all probes.
 */
SEC("uprobe.multi.s")
int call_whole(struct pt_regs *ctx)
{
	return call__both_ends(ctx);
}

/* In its place, where something is measured that programs which may sleep can't read. */
SEC("uprobe.multi")
int call_whole_awake(struct pt_regs *ctx)
{
	return call__both_ends(ctx);
}

static __always_inline int exit_site__met(struct pt_regs *ctx, u64 cookie)
{
	enum site_end end = site__end(ctx, cookie);

	if (end == SITE_PASSES)
		return site__passed(cookie);
	if (end == SITE_LEAVES && !XP_COOKIE_AFTER(cookie))
		return call__end(ctx, bpf_get_current_task_btf(), sp__of_call(ctx), cookie, false);
	call__goes_on(PT_REGS_SP(ctx), cookie, end);
	return site__passed(cookie);
}

SEC("uprobe.multi")
int call_exit_site(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);
	u64 *mark;

	mark = probe__begins(most_probe_ns);
	exit_site__met(ctx, cookie);
	probe__uses_page(XP_COOKIE_CLASS(cookie) == XP_EXIT_STEPPED, false);
	program__ends(mark);
	return 0;
}

/* An end of a function that is not measured, for the calls that may go on in it. */
SEC("uprobe.multi")
int call_hidden_site(struct pt_regs *ctx)
{
	u64 cookie = bpf_get_attach_cookie(ctx);
	enum site_end end;
	u64 *mark;

	mark = probe__begins(most_probe_ns);
	end = site__end(ctx, cookie);
	if (end != SITE_PASSES)
		waiting__pass(PT_REGS_SP(ctx), cookie, end, PT_REGS_RC(ctx));
	site__passed(cookie);
	probe__uses_page(XP_COOKIE_CLASS(cookie) == XP_EXIT_STEPPED, false);
	program__ends(mark);
	return 0;
}

#include "mechanism/measure/bpf/io.bpf.h"
#include "wait-begins.bpf.h"
#include "switches.bpf.h"
#include "waits.bpf.h"
#include "thread-end.bpf.h"
#include "processes.bpf.h"
#include "view.bpf.h"
#include "view-processes.bpf.h"
