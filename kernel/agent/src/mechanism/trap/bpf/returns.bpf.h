/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether return addresses may be replaced now.
 *
 * It was proven of the code that the process has that they may.  When the process gets other code,
 * this is seen at once, on the thread that gets it and before the first instruction of that code.
 * The kernel's tracepoint tells of another program.  A probe on _dl_debug_state tells of libraries
 * that the C library loads by itself: for debuggers, the dynamic loader calls that function before
 * it maps libraries, and again when all of them are mapped.  From then on no return address is
 * replaced until the same is proven of the new code.
 *
 * Calls that are entered meanwhile are counted as lost.  That works where the kernel asks the
 * program at each entry (uprobe sessions, Linux 6.13); elsewhere the probes come off a little
 * later.
 */
#ifndef KVIEW_RETURNS_BPF_H
#define KVIEW_RETURNS_BPF_H

/* Return addresses may always be replaced: the user wants it, whatever is proven. */
bool returns_forced;
/*
 * Counts the events that gave the process other code.  Return addresses may be replaced only
 * while this equals proven_code.
 */
__u32 code_version = 1;
__u32 proven_code;
/* The version of the code at which the loader had last finished what it did. */
__u32 settled_code = 1;
bool has_executed;
/* The process has executed a program by another thread than its first: links go by that one. */
bool process_lost;

/*
 * Since Linux 6.13 whoever closes a link of probes, of any process of the host, waits until no thread has a replaced return address
 * whose 100 ms are not over; and those of all that a thread has begin anew with each.  The agent has none replaced for a while
 * where it can't get done otherwise.
 */
bool returns_rest;

static __always_inline bool returns__may_be_replaced(void)
{
	if (READ_ONCE(has_executed) || READ_ONCE(returns_rest))
		return false;
	return returns_forced || READ_ONCE(proven_code) == READ_ONCE(code_version);
}

/* What became of the process, struct xp_child. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} children SEC(".maps");

static __always_inline void process__tell(u32 tgid, enum xp_told what)
{
	struct xp_child *told = bpf_ringbuf_reserve(&children, sizeof(*told), 0);

	/* If there is no room, an earlier message is waiting to be read anyway. */
	if (!told)
		return;
	told->tgid = tgid;
	told->what = what;
	bpf_ringbuf_submit(told, BPF_RB_FORCE_WAKEUP);
}

/* From r_debug in link.h. */
#define R_STATE		24
#define RT_CONSISTENT	0

/* At _dl_debug_state; the cookie tells how far from there _r_debug lies. */
SEC("uprobe.multi")
int code_changes(struct pt_regs *ctx)
{
	s64 r_debug = XP_COOKIE_OFFSET(bpf_get_attach_cookie(ctx));
	struct task_struct *task = bpf_get_current_task_btf();
	u32 state = ~0U, version;
	u64 *mark;

	if (task->tgid != target_tgid)
		return 0;
	mark = program__begins();
	version = __sync_fetch_and_add(&code_version, 1) + 1;
	bpf_probe_read_user(&state, sizeof(state), (void *)(PT_REGS_IP(ctx) + r_debug + R_STATE));
	if (state == RT_CONSISTENT)
		WRITE_ONCE(settled_code, version);
	process__tell(task->tgid, XP_TOLD_CODE);
	program__ends(mark);
	return 0;
}

#endif
