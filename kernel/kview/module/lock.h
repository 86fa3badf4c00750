/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the module's parts hang together, and its locks.
 *
 *	view --+-- sets of sites --- spots (one thunk each, shared by all views)
 *	       |        `-- programs
 *	       +-- regions: which text differs --- text copies (shared by all views)
 *	       +-- private page tables
 *	       `-- attachments --- address spaces (found by mm in the hook)
 *
 * Locks, outermost first:
 *	kview_buffers_mutex	perf's buffers for records, with nothing within; see event.c
 *	kview_cgroup_mutex	who is in a cgroup and who in its view; see cgroup.c
 *	kview_flow_mutex	which threads are in views; see flow.c
 *	a view's @switching	one switching of its sets at a time; see switch.c
 *	kview_lock		everything that is built and torn down
 *	tracepoints_mutex	the kernel's; see tracepoint.c
 *	cpu_hotplug_lock	the kernel's; read, while all CPUs are flushed
 *	text_mutex		the kernel's; reading base text that others may be writing,
 *				changing what an address space shows
 *	kview_spaces_lock	the hash of address spaces (irqs off)
 *	kview_copies_lock	the hash of text copies, and their bytes (irqs off)
 * No grace period is waited for with one of them held, but for the first two, when a process is
 * moved out of a cgroup or perf waits, and for a view's @switching: what must wait is retired
 * (retire.c), or waits before kview_lock is taken (kview_flip_prepare(), which says when that is
 * in vain; kview_filter_stop()) or after (kview_cgroup_stop()).
 * Others hold text_mutex while they wait for RCU tasks: who sets or removes kprobes that can be
 * jumps.  kview_text_prepare() waits for them before kview_lock is taken; in vain when one comes
 * just after.
 * The hook takes none: it runs with preemption off and reads under RCU.
 */
#ifndef KVIEW_MODULE_LOCK_H
#define KVIEW_MODULE_LOCK_H

#include <linux/mutex.h>

/* May be held for long: who waits for it sleeps, and no signal ends that. */
extern struct mutex kview_lock;

#endif
