/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the parts of the module are connected, and its locks.
 *
 *	view --+-- sets of sites --- spots (one thunk each, shared by all views)
 *	       |        `-- programs
 *	       +-- a text --- regions: which text differs --- text copies (shared by all views)
 *	       |      `------ private page tables
 *	       `-- attachments --- address spaces (found by mm in the hook), of which each runs
 *	                           its view's text or, in several views, a joint one (joint.h)
 *
 * Locks, outermost first:
 *	kview_buffers_mutex	perf's buffers for records; no other lock within it; see event.c
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
 * Nobody waits for a grace period with one of these locks held, with three exceptions: the first
 * two locks, when perf waits or a process is moved out of a cgroup, and a view's @switching.
 * Everything else that has to wait is retired (retire.c), or waits before kview_lock is taken
 * (kview_flip_prepare(), which also says when that is not enough; kview_filter_stop()) or after
 * it is released (kview_cgroup_stop()).  Others hold text_mutex while they wait for RCU tasks:
 * who sets or removes kprobes that can be jumps.  kview_text_prepare() waits for them before
 * kview_lock is taken; this does not help against one that comes just after.  The hook takes
 * none: it runs with preemption off and reads under RCU.
 */
#ifndef KVIEW_MODULE_LOCK_H
#define KVIEW_MODULE_LOCK_H

#include <linux/mutex.h>

/* May be held for a long time.  Waiters sleep, and signals do not interrupt them. */
extern struct mutex kview_lock;

#endif
