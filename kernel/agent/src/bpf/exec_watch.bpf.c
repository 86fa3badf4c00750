// SPDX-License-Identifier: GPL-2.0
/* Sees a process execute a program that gives it rights, or that it may not read. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

/* From linux/binfmts.h. */
#define BINPRM_FLAGS_ENFORCE_NONDUMP	1U

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct linux_binprm {
	unsigned int secureexec:1;
	unsigned int interp_flags;
};
#pragma clang attribute pop

char LICENSE[] SEC("license") = "GPL";

const volatile int watched_tgid;
bool raised;

SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_process_exec, struct task_struct *task, int old_pid, struct linux_binprm *bprm)
{
	if (task->tgid == watched_tgid &&
	    (BPF_CORE_READ_BITFIELD_PROBED(bprm, secureexec) ||
	     BPF_CORE_READ(bprm, interp_flags) & BINPRM_FLAGS_ENFORCE_NONDUMP))
		raised = true;
	return 0;
}
