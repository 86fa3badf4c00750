/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls are seen in a view of the process by a flag that its threads have.  As another tracer takes its last probe off
 * the kernel's two tracepoints of system calls, the kernel takes that flag from all threads, and the module gives it back some
 * ms later: calls meanwhile go by unseen, and that has to be told.  Nobody but such a tracer runs this function.
 */
#ifndef KVIEW_CALLS_CUT_BPF_H
#define KVIEW_CALLS_CUT_BPF_H

__u64 times_cut;

SEC("kprobe/syscall_unregfunc")
int system_calls_cut(struct pt_regs *ctx)
{
	if (READ_ONCE(active) == XP_ACTIVE)
		__sync_fetch_and_add(&times_cut, 1);
	return 0;
}

#endif
