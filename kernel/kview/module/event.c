// SPDX-License-Identifier: GPL-2.0
/*
 * Trace events, as in tracefs: SYSTEM:EVENT.  Programs of the type tracepoint get
 * the event's record, which only code that TRACE_EVENT() made can fill in.
 *
 * The event class's perf probe is such code.  It builds the record in perf's buffer
 * for this CPU and context, then runs the eBPF programs that are attached to the event
 * it was called with.  kview_record_begin() calls it with an event of our own, a
 * copy, to which nobody is attached; and the hook holds bpf_prog_active, so that
 * what the probe calls meanwhile is not traced.  The probe gives the buffer back;
 * asking for it again, in the same context and with preemption off, yields the same
 * one, with the record in it.
 *
 * perf has these buffers only while there is a perf event for some trace event: so
 * one is held, on an event of this module that no other code passes (trace.h).
 *
 * System calls by name (syscalls:sys_enter_read) are no events of this make: all
 * are the tracepoint sys_enter, and their record is filled in here.
 */
#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <trace/syscall.h>
#include <asm/syscall.h>

#include "kview.h"
#include "event.h"
#include "memory.h"
#include "place.h"
#include "set.h"
#include "symbols.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

struct kview_event {
	struct trace_event_call call;	/* a copy, with nobody attached */
	u64 __percpu *hits;		/* of one system call */
	int nr;				/* that system call, or -1 */
	bool enter;
	u32 size;			/* of the record, to its last field */
};

/* Counts what is counted elsewhere. */
static DEFINE_PER_CPU(u64, kview_uncounted);

/* What a copy has in place of perf events and of eBPF programs: none. */
static DEFINE_PER_CPU(struct hlist_head, kview_no_perf);
static struct {
	struct bpf_prog_array array;
	struct bpf_prog_array_item end;
} kview_no_programs;

/* Outermost: perf waits for RCU, and for whoever writes to tracefs. */
static DEFINE_MUTEX(kview_buffers_mutex);
static struct perf_event *kview_buffers;
static unsigned int kview_buffers_users;

/* For one set of the kind EVENT: without kview_lock, before it is made. */
int kview_buffers_get(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = event_kview_processes.event.type,
		.disabled = 1,
	};
	struct perf_event *event;
	int ret = 0;

	mutex_lock(&kview_buffers_mutex);
	if (!kview_buffers_users) {
		event = kview_should_fail() ? ERR_PTR(-ENOMEM) :
			perf_event_create_kernel_counter(&attr, cpumask_first(cpu_online_mask),
							 NULL, NULL, NULL);
		if (IS_ERR(event))
			ret = PTR_ERR(event);
		else
			kview_buffers = event;
	}
	if (!ret)
		kview_buffers_users++;
	mutex_unlock(&kview_buffers_mutex);
	return ret;
}

/* Without kview_lock, when no hook runs the set's eBPF programs any more. */
void kview_buffers_put(void)
{
	mutex_lock(&kview_buffers_mutex);
	if (!--kview_buffers_users)
		perf_event_release_kernel(kview_buffers);
	mutex_unlock(&kview_buffers_mutex);
}

static struct tracepoint *kview_event_tracepoint(const struct trace_event_call *call)
{
	/* other modules' could go */
	if (call->flags & TRACE_EVENT_FL_DYNAMIC || call->module)
		return NULL;
	if (call->class == kview_sym.syscall_enter)
		return kview_sym.sys_enter;
	if (call->class == kview_sym.syscall_exit)
		return kview_sym.sys_exit;
	if (call->flags & TRACE_EVENT_FL_TRACEPOINT && call->class->perf_probe)
		return call->tp;
	return NULL;
}

/**
 * kview_event_find() - the event of a name
 * @name:	SYSTEM:EVENT; is written to
 * @place:	out: the event and its tracepoint
 */
int kview_event_find(char *name, struct kview_place *place)
{
	struct trace_event_file *file;
	char *event = strchr(name, ':');

	if (!event)
		return -ENOENT;
	*event++ = 0;
	file = trace_get_event_file(NULL, name, event);
	if (IS_ERR(file))
		return -ENOENT;
	place->tp = kview_event_tracepoint(file->event_call);
	if (place->tp)
		place->call = file->event_call;
	trace_put_event_file(file);
	return place->tp ? 0 : -EADDRNOTAVAIL;
}

static void kview_event_init(struct kview_event *e, struct trace_event_call *call)
{
	e->call = *call;
	e->call.perf_events = &kview_no_perf;
	RCU_INIT_POINTER(e->call.prog_array, &kview_no_programs.array);
	e->size = kview_sym.trace_event_get_offsets(call);
	e->enter = call->class == kview_sym.syscall_enter;
	e->nr = -1;
	if (e->enter || call->class == kview_sym.syscall_exit)
		e->nr = ((struct syscall_metadata *)call->data)->syscall_nr;
}

/* Under kview_lock: one event for each of the set's sites. */
int kview_events_create(struct kview_set *set, const struct kview_place *place)
{
	struct kview_event *events = kview_calloc(set->nsites, sizeof(*events));
	u32 i;

	if (!events)
		return -ENOMEM;
	set->events = events;
	for (i = 0; i < set->nsites; i++)
		kview_event_init(&events[i], place[i].call);
	return 0;
}

/* Under kview_lock, when no hook leads here any more. */
void kview_events_free(struct kview_set *set)
{
	kvfree(set->events);
	set->events = NULL;
}

/* The hook counts every system call; which one it is shows later. */
void kview_event_use(struct kview_site *site)
{
	struct kview_event *event = &site->set->events[site->idx];

	site->event = event;
	if (event->nr < 0)
		return;
	event->hits = site->hits;
	site->hits = &kview_uncounted;
}

/* What an eBPF program may read, at all of the set's events. */
u32 kview_events_context(const struct kview_set *set)
{
	u32 size = ~0U, i;

	for (i = 0; i < set->nsites; i++)
		size = min(size, set->events[i].size);
	return size;
}

void kview_event_name(const struct kview_set *set, u32 i, char *name, size_t size)
{
	struct trace_event_call *call = &set->events[i].call;

	snprintf(name, size, "%s:%s", call->class->system, trace_event_name(call));
}

/* In the hook, as all below.  sys_enter(regs, nr) and sys_exit(regs, ret), after data. */
bool kview_event_is(const struct kview_event *event, struct pt_regs *regs)
{
	/* 32-bit programs have other numbers; these events leave them out */
	return event->nr < 0 || (!in_ia32_syscall() && event->nr ==
				 syscall_get_nr(current, (struct pt_regs *)regs->si));
}

/* The same, and counts it if the hook did not. */
bool kview_event_occurs(const struct kview_event *event, struct pt_regs *regs)
{
	if (!kview_event_is(event, regs))
		return false;
	if (event->nr >= 0)
		__this_cpu_inc(*event->hits);
	return true;
}

/* All arguments are words; more than a probe takes do no harm. */
typedef void (*kview_probe_t)(void *data, u64 b, u64 c, u64 d, u64 e, u64 f, u64 s0, u64 s1,
			      u64 s2, u64 s3, u64 s4, u64 s5, u64 s6, u64 s7);

bool kview_record_begin(struct kview_record *r, const struct kview_site *site,
			struct pt_regs *regs)
{
	struct kview_event *event = site->event;
	kview_probe_t probe = event->call.class->perf_probe;
	struct pt_regs *syscall = (struct pt_regs *)regs->si;
	const u64 *stack = (const u64 *)regs->sp;
	u64 s[8];
	int i;

	if (event->nr >= 0) {
		r->syscall.regs = regs;
		r->syscall.nr = event->nr;
		if (event->enter)
			syscall_get_arguments(current, syscall, (unsigned long *)r->syscall.arg);
		else
			r->syscall.arg[0] = regs->dx;
		r->data = &r->syscall;
		return true;
	}
	for (i = 0; i < ARRAY_SIZE(s); i++)
		s[i] = READ_ONCE_NOCHECK(stack[i]);	/* beyond the last it is the caller's */
	probe(&event->call, regs->si, regs->dx, regs->cx, regs->r8, regs->r9,
	      s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]);
	/* all of it, since what is beyond the size asked for gets lost */
	r->data = kview_should_fail() ? NULL :
		  perf_trace_buf_alloc(PERF_MAX_TRACE_SIZE, NULL, &r->rctx);
	if (!r->data)
		return false;
	/* helpers want to find registers in the first word */
	*(struct pt_regs **)r->data = regs;
	return true;
}

void kview_record_end(struct kview_record *r)
{
	if (r->data != &r->syscall)
		kview_sym.perf_put_recursion(r->rctx);
}
