/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs for functions of the kernel and the agent share. */
#ifndef KVIEW_KERNEL_LAYOUT_H
#define KVIEW_KERNEL_LAYOUT_H

#include "bpf/events.h"
#include "mechanism/bpf/figures.h"
#include "mechanism/bpf/thread.h"

#define KF_MOST		16384	/* functions at a time */

/* Calls of functions whose probes count no more; CPUs share them, and each has a line of the caches. */
#define KF_SLOTS	64
struct kf_passed {
	__u64 nr;
} __attribute__((aligned(64)));

#endif
