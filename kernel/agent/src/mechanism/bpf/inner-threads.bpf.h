/* SPDX-License-Identifier: GPL-2.0 */
/* What the mechanism for functions of the kernel keeps of threads, for the others: see inner.bpf.h. */
#ifndef KVIEW_INNER_THREADS_BPF_H
#define KVIEW_INNER_THREADS_BPF_H

#include "program-mark.bpf.h"

/* Set before load. */
volatile const bool has_inner;

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct xp_thread_inner);
} inner_threads SEC(".maps");

/* The running thread's; NULL: there is none, and nothing is measured of it. */
static __always_inline struct xp_thread_inner *inner__get(void)
{
	return has_inner ? bpf_task_storage_get(&inner_threads, bpf_get_current_task_btf(), NULL, 0) : NULL;
}

static __always_inline u64 *program__begins(void)
{
	struct xp_thread_inner *inner = inner__get();

	program_mark__set();
	return inner ? mark__set(&inner->in_program) : NULL;
}

#endif
