/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an eBPF program that sees whole calls can find out about its own run: the probe's cookie,
 * and whether this is the entry or the end of a call.  The kernel is asked by two calls at each
 * end; what they answer lies beside each other in its memory, and where its types say so it is read
 * there.
 */
#ifndef KVIEW_HIT_BPF_H
#define KVIEW_HIT_BPF_H

/* Linux 6.13; what takes other arguments on a later one counts as missing. */
extern bool bpf_session_is_return(void) __ksym __weak;

struct hit {
	u64 cookie;
	bool is_return;
};

/* All of it known at load. */
static __always_inline bool hit__can_be_read(void)
{
	return pointers_can_be_cast() &&
	       bpf_core_field_exists(((struct task_struct *)0)->bpf_ctx) &&
	       bpf_core_field_exists(((struct bpf_session_run_ctx *)0)->is_return) &&
	       bpf_core_field_exists(((struct bpf_uprobe_multi_run_ctx *)0)->session_ctx) &&
	       bpf_core_field_exists(((struct bpf_uprobe_multi_run_ctx *)0)->uprobe) &&
	       bpf_core_field_exists(((struct bpf_uprobe *)0)->cookie) &&
	       !bpf_core_field_offset(((struct bpf_session_run_ctx *)0)->run_ctx) &&
	       !bpf_core_field_offset(((struct bpf_uprobe_multi_run_ctx *)0)->session_ctx);
}

static __always_inline struct hit hit__of(struct pt_regs *ctx, struct task_struct *task)
{
	const struct bpf_uprobe_multi_run_ctx *run;

	if (!hit__can_be_read())
		return (struct hit){ bpf_get_attach_cookie(ctx), bpf_session_is_return() };
	run = bpf_core_cast(task__plain(task)->bpf_ctx, struct bpf_uprobe_multi_run_ctx);
	return (struct hit){ run->uprobe->cookie, run->session_ctx.is_return };
}

#endif
