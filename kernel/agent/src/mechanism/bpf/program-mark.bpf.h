/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What eBPF programs of the recording do in the kernel is nothing that the process does.  So such a program marks its
 * thread: in a state that the mechanism for the kernel's functions looks at, and in a place that the one for tracepoints
 * looks at.  That place needs no state of the thread, as it is most of all making one that comes to tracepoints.
 */
#ifndef KVIEW_PROGRAM_MARK_BPF_H
#define KVIEW_PROGRAM_MARK_BPF_H

#include "mechanism/bpf/program-marks.h"

/* Set before load: tracepoints are measured as well. */
volatile const bool marks_programs;

/* By thread: the address of its task, and in the lowest bits how many programs it is in; 0: the place is free. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, PROGRAM_MARKS);
	__type(key, u32);
	__type(value, u64);
} program_marks SEC(".maps");

#define MARK_DEPTH	63UL

static __always_inline u64 *program_mark__of_thread(void)
{
	u32 place = (u32)bpf_get_current_pid_tgid() & (PROGRAM_MARKS - 1);

	return marks_programs ? bpf_map_lookup_elem(&program_marks, &place) : NULL;
}

/* Where another thread has the place, which it leaves soon, this one stays without a mark. */
static __always_inline void program_mark__set(void)
{
	u64 *mark = program_mark__of_thread(), task = bpf_get_current_task();

	if (!mark)
		return;
	/* Its own: no other thread writes there, and programs of one thread lie within each other. */
	if ((READ_ONCE(*mark) & ~MARK_DEPTH) == task)
		WRITE_ONCE(*mark, *mark + 1);
	else
		__sync_val_compare_and_swap(mark, 0, task + 1);
}

static __always_inline void program_mark__clear(void)
{
	u64 *mark = program_mark__of_thread(), task = bpf_get_current_task(), value;

	if (!mark)
		return;
	value = READ_ONCE(*mark);
	if ((value & ~MARK_DEPTH) == task)
		WRITE_ONCE(*mark, value == task + 1 ? 0 : value - 1);
}

/* Whether the thread is in a program that marks it. */
static __always_inline bool program_mark__is_set(void)
{
	const u64 *mark = program_mark__of_thread();

	return mark && (READ_ONCE(*mark) & ~MARK_DEPTH) == bpf_get_current_task();
}

/* Returns the mark, for program__ends(): a second look for it may fail where the first did not, and it would stay. */
static __always_inline u64 *mark__set(u64 *in_program)
{
	(*in_program)++;
	return in_program;
}

static __always_inline void mark__clear(u64 *in_program)
{
	if (in_program)
		(*in_program)--;
}

/* mark: NULL if the thread had no state. */
static __always_inline void program__ends(u64 *mark)
{
	mark__clear(mark);
	program_mark__clear();
}

#endif
