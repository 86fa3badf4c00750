/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is counted within calls beside their time.  Each quantity of a thread only grows; a call's share is by how much it
 * grew between its beginning and its end, with the calls within it.
 */
#ifndef KVIEW_MEASURES_BPF_H
#define KVIEW_MEASURES_BPF_H

#include "mechanism/bpf/measures.h"

/* Set before load: 1 << enum xp_measure each.  The verifier leaves out what is for others. */
volatile const __u32 measures;
/* Likewise: the place in the figures of the first function's quantities. */
volatile const __u32 first_quantities;

/* Of the counters of the CPU that a thread is on. */
struct counted {
	u64 at[XP_COUNTERS];
	u64 switches;		/* of the thread by then */
	bool is_running;	/* and its CPU's counters were read since it does */
};

#define IO_CALLS	32	/* the innermost calls that a request is counted for; a power of two */

struct io_request {
	u64 issued_ns;		/* handed over, while it waits */
	/* Which request it was given to the device as: the kernel has few, and uses each of them again. */
	u64 tail, start_ns;
	u32 nr;
	u16 functions[IO_CALLS];
};

/* In a storage of its own, so that threads take no more memory where nothing is measured. */
struct measured_thread {
	u64 now[XP_QUANTITIES];
	/* By frame: as its call began. */
	u64 at_begin[XP_DEPTH][XP_QUANTITIES];
	struct counted counted;
	struct io_request request;	/* while it is handed over */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct measured_thread);
} measured_threads SEC(".maps");

#include "mechanism/measure/bpf/alloc.bpf.h"
#include "mechanism/measure/bpf/counters.bpf.h"

static __always_inline bool is_measured(enum xp_measure measure)
{
	return measures & 1U << measure;
}

static __always_inline void measured_thread__read(struct measured_thread *m, struct task_struct *task)
{
	if (is_measured(XP_MEASURE_ALLOC))
		alloc__read(m->now, task);
	if (is_measured(XP_MEASURE_COUNTERS))
		counters__take(m->now, &m->counted, task__switches(task));
}

static __always_inline struct measured_thread *measured_thread__of(struct task_struct *task)
{
	return measures ? bpf_task_storage_get(&measured_threads, task, NULL, 0) : NULL;
}

/* False: there is no room to measure calls of this thread.  As in thread__new, a program that may sleep must not do so here. */
static __always_inline bool measures__have_room(struct task_struct *task)
{
	struct measured_thread *m;

	if (!measures || bpf_task_storage_get(&measured_threads, task, NULL, 0))
		return true;
	if (asks_at_entry)
		bpf_rcu_read_lock();
	m = bpf_task_storage_get(&measured_threads, task, NULL, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (asks_at_entry)
		bpf_rcu_read_unlock();
	return m;
}

/* The call of the frame at index begins. */
static __always_inline void measures__begin(struct task_struct *task, u32 index)
{
	struct measured_thread *m = measured_thread__of(task);
	int i;

	if (!m)
		return;
	measured_thread__read(m, task);
	index = BOUND(index, XP_DEPTH - 1);
	for (i = 0; i < XP_QUANTITIES; i++)
		m->at_begin[index][i] = m->now[i];
}

/* A frame is now at another index. */
static __always_inline void measures__move(u32 to, u32 from)
{
	struct measured_thread *m = measured_thread__of(bpf_get_current_task_btf());
	int i;

	if (!m)
		return;
	to = BOUND(to, XP_DEPTH - 1);
	from = BOUND(from, XP_DEPTH - 1);
	for (i = 0; i < XP_QUANTITIES; i++)
		m->at_begin[to][i] = m->at_begin[from][i];
}

/*
 * A call was measured: what it took beside time.  Global, and called beside what measures its time: so their frames need not fit
 * the stack together.
 */
__noinline int measures__count(const struct frame *f, __u32 index)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct measured_thread *m = measured_thread__of(task);
	bool is_unread;
	u32 set, i;

	if (!m || !f)
		return 0;
	measured_thread__read(m, task);
	set = slot__index(first_quantities + f->function) * XP_SETS;
	index = BOUND(index, XP_DEPTH - 1);
	is_unread = m->now[XP_COUNTERS_UNREAD] != m->at_begin[index][XP_COUNTERS_UNREAD];
#pragma clang loop unroll(disable)
	for (i = 0; i < XP_QUANTITIES; i++) {
		u64 grown = m->now[i] - m->at_begin[index][i];

		if (grown && !(is_unread && i >= XP_CYCLES && i < XP_CYCLES + XP_COUNTERS))
			metric__count(set + XP_QUANTITY_SET(i), grown, false);
	}
	return 0;
}

#endif
