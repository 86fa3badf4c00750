/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of the kernel that the eBPF programs call themselves, by their helpers, may be measured as well:
 * locks, memory, time.  What is called so is nothing that the process does.  And a helper that holds a
 * lock, as that of the ring of events, must not be entered again from within.
 *
 * The thread that runs is marked while it is in one of the programs, those of other mechanisms included (inner.bpf.h):
 * it can leave its CPU in one of these, which is a program within a program.  In an interrupt nothing is measured, so it
 * does not matter that the mark may be that of the thread below.
 */
#ifndef KVIEW_GUARD_BPF_H
#define KVIEW_GUARD_BPF_H

#include "interrupts.bpf.h"
#include "program-mark.bpf.h"

static __always_inline u64 *program__begins(void)
{
	struct thread *t = bpf_task_storage_get(&threads, bpf_get_current_task_btf(), NULL, 0);

	program_mark__set();
	return t ? mark__set(&t->in_program) : NULL;
}

#endif
