/* SPDX-License-Identifier: GPL-2.0 */
/* What the eBPF programs of post.bpf.c tell the agent. */
#ifndef KVIEW_POST_H
#define KVIEW_POST_H

enum post_side {
	POST_ENTRY,
	POST_EXIT
};

struct post_call {
	__u64 time_ns;
	__u32 tgid, tid;
	__u32 side;
	__s32 value;	/* the system call's number, or what it returned */
};

#endif
