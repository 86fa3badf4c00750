/* SPDX-License-Identifier: GPL-2.0 */
/* Page faults of a thread: the kernel counts those that it has dealt with, so to read is all that there is to do. */
#ifndef KVIEW_ALLOC_BPF_H
#define KVIEW_ALLOC_BPF_H

static __always_inline void alloc__read(u64 *quantities, struct task_struct *task)
{
	quantities[XP_MINOR_FAULTS] = task->min_flt;
	quantities[XP_MAJOR_FAULTS] = task->maj_flt;
}

#endif
