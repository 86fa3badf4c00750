/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads whose state can't be had, though there is one.
 *
 * Through Linux 6.1 a CPU answers nobody else while it looks for a thread's state.  Where the kernel may be preempted,
 * who asked may have lost the CPU meanwhile, and others get no answer there for some ms.  What happens then is lost,
 * and has to be told as lost.
 */
#ifndef KVIEW_BUSY_BPF_H
#define KVIEW_BUSY_BPF_H

#include "bpf/task.bpf.h"

#ifndef EEXIST
#define EEXIST	17
#endif

/* Known at load: since Linux 6.2, which the cast came with as well, everybody gets an answer. */
static __always_inline bool states__can_be_busy(void)
{
	return !pointers_can_be_cast();
}

/*
 * On such a kernel all threads that have a state, by tid, and when a call of theirs ended that was not seen to.  One for
 * which there is no room here gets no state.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, u64);
} stateful SEC(".maps");

/* Before a state is made: 0, -EEXIST where the thread has one, or no room. */
static __always_inline long state__is_made(struct task_struct *task)
{
	u32 tid = task->pid;
	u64 never = 0;

	return states__can_be_busy() ? bpf_map_update_elem(&stateful, &tid, &never, BPF_NOEXIST) : 0;
}

static __always_inline void state__is_gone(struct task_struct *task)
{
	u32 tid = task->pid;

	if (states__can_be_busy())
		bpf_map_delete_elem(&stateful, &tid);
}

/* An execve gave the thread another tid, and left it its state. */
static __always_inline void state__moves(struct task_struct *task, u32 old_tid)
{
	u32 tid = task->pid;
	u64 never = 0;

	if (states__can_be_busy() && tid != old_tid && !bpf_map_delete_elem(&stateful, &old_tid))
		bpf_map_update_elem(&stateful, &tid, &never, BPF_ANY);
}

/* To be asked where no state was found: whether there is one. */
static __always_inline bool state__is_hidden(struct task_struct *task)
{
	u32 tid = task->pid;

	return states__can_be_busy() && bpf_map_lookup_elem(&stateful, &tid);
}

#endif
