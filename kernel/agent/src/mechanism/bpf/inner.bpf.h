/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the kernel may be measured in the same recording, by a mechanism of their own, whose probes a thread
 * meets within the calls of this one, and in what the eBPF programs call.  The latter is nothing that the process does,
 * so these programs mark the other mechanism's state of the thread.  What its probes took is part of the calls here:
 * each probe takes over what has come since the last one.
 */
#ifndef KVIEW_INNER_BPF_H
#define KVIEW_INNER_BPF_H

#include "inner-threads.bpf.h"

/* A thread gets a state: what there was before is in none of its calls. */
static __always_inline void thread__starts_inner(struct thread *t)
{
	const struct xp_thread_inner *inner = inner__get();

	if (inner)
		t->taken = inner->for_others;
}

/*
 * To be called in place of program__begins() as a probe's program begins, which may take so long: functions of the
 * kernel around it are longer by that.
 */
static __always_inline u64 *probe__begins(u64 most_ns)
{
	struct xp_thread_inner *inner = inner__get();
	struct thread *t;
	u64 *mark;

	program_mark__set();
	if (!inner)
		return NULL;
	mark = mark__set(&inner->in_program);
	inner->own.uncertain_ns += most_ns;
	t = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0);
	if (!t)
		return mark;
	t->overhead_ns += inner->for_others.overhead_ns - t->taken.overhead_ns;
	t->uncertain_ns += inner->for_others.uncertain_ns - t->taken.uncertain_ns;
	t->taken = inner->for_others;
	return mark;
}

#endif
