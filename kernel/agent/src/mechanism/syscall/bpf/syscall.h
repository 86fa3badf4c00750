/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs for system calls and the agent share. */
#ifndef KVIEW_SYSCALL_LAYOUT_H
#define KVIEW_SYSCALL_LAYOUT_H

#include "bpf/events.h"
#include "mechanism/bpf/figures.h"
#include "mechanism/bpf/thread.h"

#define SC_NUMBERS	1024	/* a power of two, above all numbers of the kernel */

/* A measured number: its point's id, and whether another thread returns from it as well. */
#define SC_POINT(id)	((id) + 1)
#define SC_CREATES	0x80000000U
#define SC_ID(point)	(((point) & ~SC_CREATES) - 1)

/* Calls of the process that are not measured; CPUs share them, and each has a line of the caches. */
#define SC_SLOTS	64
struct sc_others {
	__u64 nr;
} __attribute__((aligned(64)));

#endif
