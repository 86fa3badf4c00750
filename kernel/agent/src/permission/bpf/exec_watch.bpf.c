// SPDX-License-Identifier: GPL-2.0
/* Sees a process execute a program that gives it rights, or that it may not read. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "raises.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile int watched_tgid;
bool raised;

/* Has nothing in it to read but that raised was set. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} news SEC(".maps");

SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	__u64 *told;

	if (task->tgid != watched_tgid || !bprm__raises(bprm))
		return 0;
	raised = true;
	told = bpf_ringbuf_reserve(&news, sizeof(*told), 0);
	if (told) {
		*told = 0;
		bpf_ringbuf_submit(told, BPF_RB_FORCE_WAKEUP);
	}
	return 0;
}
