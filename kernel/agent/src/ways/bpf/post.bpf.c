// SPDX-License-Identifier: GPL-2.0
/* Tells of each system call of each process: nothing is filtered here. */
#include "kernel-types.h"
#include <bpf/bpf_helpers.h>
#include "base.bpf.h"
#include "ways/bpf/post.h"

#define RING_BYTES	(4 << 20)

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, RING_BYTES);
} calls SEC(".maps");

/* That there was no room for. */
__u64 not_told;

/* The agent looks into the ring by itself: waking it at each call would cost others even more. */
static __always_inline int call__tell(u64 value, enum post_side side)
{
	struct post_call *call = bpf_ringbuf_reserve(&calls, sizeof(*call), 0);
	u64 who = bpf_get_current_pid_tgid();

	if (!call) {
		__sync_fetch_and_add(&not_told, 1);
		return 0;
	}
	call->time_ns = bpf_ktime_get_ns();
	call->tgid = who >> 32;
	call->tid = who;
	call->side = side;
	call->value = value;
	bpf_ringbuf_submit(call, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("raw_tp/sys_enter")
int post_enter(struct bpf_raw_tracepoint_args *context)
{
	return call__tell(context->args[1], POST_ENTRY);
}

SEC("raw_tp/sys_exit")
int post_exit(struct bpf_raw_tracepoint_args *context)
{
	return call__tell(context->args[1], POST_EXIT);
}
